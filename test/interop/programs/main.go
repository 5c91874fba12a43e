// Signs in, imports, reads, updates and finds, by the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	metaction "clients.test/metaction/go"
)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	url, username, password, packageFile, key, text := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]
	model, book := "key:"+key, "key:book"

	configuration := metaction.NewConfiguration()
	configuration.Servers = metaction.ServerConfigurations{{URL: url}}
	client := metaction.NewAPIClient(configuration)

	login := metaction.NewLoginInput(username, password)
	signedIn := must(client.AuthAPI.Login(context.Background()).LoginInput(*login).Execute())
	ctx := context.WithValue(context.Background(), metaction.ContextAccessToken, signedIn.AccessToken)

	file, err := os.ReadFile(packageFile)
	if err != nil {
		panic(err)
	}
	var content map[string]interface{}
	if err := json.Unmarshal(file, &content); err != nil {
		panic(err)
	}
	imported := must(client.ModelAPI.ModelImport(ctx).
		ModelImportInput(metaction.ModelImportInput{Content: content, ModelKey: &key}).Execute())
	before := must(client.ModelAPI.EntityGet(ctx).ModelRef(model).EntityRef(book).Execute())
	change := metaction.NewEntityUpdateDescriptionInput(model, book)
	change.SetValue(text)
	rehearsed := must(client.ModelAPI.EntityUpdateDescription(ctx).
		EntityUpdateDescriptionInput(*change).DryRun("true").Execute())
	updated := must(client.ModelAPI.EntityUpdateDescription(ctx).EntityUpdateDescriptionInput(*change).
		IfMatch(fmt.Sprintf(`"%s-%d"`, imported.Id, imported.Revision)).Execute())
	after := must(client.ModelAPI.EntityGet(ctx).ModelRef(model).EntityRef(book).Execute())
	listed := must(client.ModelAPI.EntityList(ctx).ModelRef(model).Limit(1).Execute())
	described := metaction.TextFilterAsSearchFilter(metaction.NewTextFilter("text", "contains", text))
	found := must(client.ModelAPI.SearchByPost(ctx).SearchInput(*metaction.NewSearchInput(
		metaction.SearchFilters{Items: []metaction.SearchFilter{described}})).Execute())

	_, _, err = client.ModelAPI.EntityGet(ctx).ModelRef(model).EntityRef("key:nothing").Execute()
	var failure *metaction.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(fmt.Sprint("no problem but ", err))
	}
	problem := failure.Model().(metaction.Problem)

	answer := map[string]interface{}{
		"entities":  imported.Counts.Entities,
		"before":    before.Description,
		"rehearsed": []string{rehearsed.Changes[0].Change},
		"changed":   updated.Changed,
		"after":     after.Description,
		"listed":    []string{listed.Items[0].Key},
		"found":     []*string{found.Items[0].Location.EntityKey},
		"refused":   []interface{}{problem.Status, problem.Code},
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		panic(err)
	}
}
