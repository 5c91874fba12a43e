package metaction;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import metaction.client.ApiClient;
import metaction.client.ApiException;
import metaction.client.api.AuthApi;
import metaction.client.api.ModelApi;
import metaction.client.model.EntityUpdateDescriptionInput;
import metaction.client.model.LoginInput;
import metaction.client.model.ModelImportInput;
import metaction.client.model.PlannedChange;
import metaction.client.model.Problem;
import metaction.client.model.SearchFilter;
import metaction.client.model.SearchFilters;
import metaction.client.model.SearchInput;
import metaction.client.model.TextFilter;

/** Signs in, imports, reads, updates and finds, by the client that openapi-generator makes for Java. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        String key = arguments[4];
        String text = arguments[5];
        String model = "key:" + key;
        String book = "key:book";

        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        LoginInput login = new LoginInput().username(arguments[1]).password(arguments[2]);
        String token = new AuthApi(client).login(login, null).getAccessToken();
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        ModelApi models = new ModelApi(client);
        ObjectMapper mapper = client.getObjectMapper();

        Map<String, Object> content = mapper.readValue(Files.readString(Path.of(arguments[3])), Map.class);
        var imported = models.modelImport(null, null, null, null, null, new ModelImportInput().content(content).modelKey(key));
        var before = models.entityGet(model, book, null, null, null);
        var change = new EntityUpdateDescriptionInput().modelRef(model).entityRef(book).value(text);
        var rehearsed = models.entityUpdateDescription(change, null, "true", null, null, null);
        String revision = String.format("\"%s-%d\"", imported.getId(), imported.getRevision());
        var updated = models.entityUpdateDescription(change, revision, null, null, null, null);
        var after = models.entityGet(model, book, null, null, null);
        var listed = models.entityList(model, 1, null, null, null, null);
        var described = new SearchFilter(
            new TextFilter().type(TextFilter.TypeEnum.TEXT).condition(TextFilter.ConditionEnum.CONTAINS).value(text));
        var found = models.searchByPost(
            new SearchInput().filters(new SearchFilters().items(List.of(described))), null);

        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("entities", imported.getCounts().getEntities());
        answer.put("before", before.getDescription());
        answer.put("rehearsed", rehearsed.getChanges().stream().map(PlannedChange::getChange).toList());
        answer.put("changed", updated.getChanged());
        answer.put("after", after.getDescription());
        answer.put("listed", listed.getItems().stream().map(row -> row.getKey()).toList());
        answer.put("found", found.getItems().stream().map(row -> row.getLocation().getEntityKey()).toList());
        try {
            models.entityGet(model, "key:nothing", null, null, null);
        } catch (ApiException failure) {
            Problem problem = mapper.readValue(failure.getResponseBody(), Problem.class);
            answer.put("refused", List.of(problem.getStatus(), problem.getCode()));
        }
        System.out.println(new ObjectMapper().writeValueAsString(answer));
    }
}
