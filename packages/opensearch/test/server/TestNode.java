import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node as a process: TestNode.java directory setting=value …; it runs until it is killed, or with endsWhenStarted until it has started. */
public class TestNode {
  public static void main(String[] args) throws Exception {
    String directory = Path.of(args[0]).toAbsolutePath().toString();
    var runner = new OpenSearchRunner();
    runner.onBuild((number, settings) -> {
      for (String setting : Arrays.copyOfRange(args, 1, args.length)) {
        int at = setting.indexOf('=');
        settings.put(setting.substring(0, at), setting.substring(at + 1));
      }
    });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        runner.close();
      } catch (Exception error) {
        System.err.println("the node could not be closed: " + error);
      }
    }));
    runner.build(OpenSearchRunner.newConfigs().basePath(directory).numOfNode(1).useLogger());
    if (Boolean.getBoolean("endsWhenStarted")) System.exit(0);
    new CountDownLatch(1).await();
  }
}
