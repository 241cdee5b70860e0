// Asks a service (its address, a key) and writes each answer, read into the generated types, as a line of JSON; then the
// same of the description's examples (a file), by operation.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func show(answer any) { fmt.Println(string(must(json.Marshal(answer)))) }

func main() {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	settings.AddDefaultHeader("X-API-Key", os.Args[2])
	apis := client.NewAPIClient(settings)
	data, ctx := apis.DataAPI, context.Background()
	search, _, err := data.Search(ctx).Q("paris").Country("FR").Limit(2).Execute()
	show(must(search, err))
	at := "2026-07-01T12:00:00Z"
	berlin, _, err := data.Timezone(ctx).Lat(52.52000123456789).Lng(13.405).At(at).Execute()
	show(must(berlin, err))
	tokyo, _, err := data.Timezone(ctx).Timezone("Asia/Tokyo").At(at).Execute()
	show(must(tokyo, err))
	_, _, err = data.Timezone(ctx).Lat(91.5).Lng(0).Execute()
	fmt.Println(string(err.(*client.GenericOpenAPIError).Body()))

	examples, read := map[string]json.RawMessage{}, map[string]any{}
	if err := json.Unmarshal(must(os.ReadFile(os.Args[3])), &examples); err != nil {
		panic(err)
	}
	for name, example := range examples {
		for _, api := range []any{data, apis.JobsAPI, apis.ServiceAPI} {
			method, found := reflect.TypeOf(api).MethodByName(strings.ToUpper(name[:1]) + name[1:])
			if !found {
				continue
			}
			execute, _ := method.Type.Out(0).MethodByName("Execute")
			answer := reflect.New(execute.Type.Out(0)).Interface()
			if err := json.Unmarshal(example, answer); err != nil {
				panic(fmt.Sprint(name, ": ", err))
			}
			read[name] = answer
		}
	}
	show(read)
}
