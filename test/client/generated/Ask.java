import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.lang.reflect.Method;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DataApi;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.api.ServiceApi;

/**
 * Asks a service (its address, a key) and writes each answer, read into the generated classes, as a line of JSON; then the
 * same of the description's examples (a file), by operation.
 */
class Ask {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(request -> request.header("X-API-Key", arguments[1]));
    DataApi data = new DataApi(client);
    ObjectMapper json = client.getObjectMapper();
    Object[] answers = {
      data.search("paris", "FR", 2, null, null, null, null, null, null, null, null, null, null, null, null),
      data.timezone(52.52000123456789, 13.405, null, "2026-07-01T12:00:00Z", null, null),
      data.timezone(null, null, "Asia/Tokyo", "2026-07-01T12:00:00Z", null, null),
    };
    for (Object answer : answers) System.out.println(json.writeValueAsString(answer));
    try {
      data.timezone(91.5, 0.0, null, null, null, null);
    } catch (ApiException error) {
      System.out.println(error.getResponseBody());
    }
    JsonNode examples = json.readTree(new File(arguments[2]));
    ObjectNode read = json.createObjectNode();
    for (Class<?> api : new Class<?>[] {DataApi.class, JobsApi.class, ServiceApi.class}) {
      for (Method method : api.getMethods()) {
        JsonNode example = examples.get(method.getName());
        if (example == null) continue;
        read.set(method.getName(), json.valueToTree(json.treeToValue(example, method.getReturnType())));
      }
    }
    System.out.println(read);
  }
}
