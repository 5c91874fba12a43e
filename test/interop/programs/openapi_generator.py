"""Signs in, imports, reads, updates and finds, by the client that openapi-generator makes for Python."""

import json
import sys

from metaction_client import ApiClient, AuthApi, Configuration, ModelApi
from metaction_client.exceptions import NotFoundException
from metaction_client.models import (
    EntityUpdateDescriptionInput,
    LoginInput,
    ModelImportInput,
    SearchFilter,
    SearchFilters,
    SearchInput,
    TextFilter,
)

url, username, password, package, key, text = sys.argv[1:]
model = f"key:{key}"

configuration = Configuration(host=url)
with ApiClient(configuration) as client:
    signed_in = AuthApi(client).login(LoginInput(username=username, password=password))
    configuration.access_token = signed_in.access_token
    models = ModelApi(client)

    with open(package, encoding="utf-8") as file:
        imported = models.model_import(model_import_input=ModelImportInput(content=json.load(file), model_key=key))
    before = models.entity_get(model_ref=model, entity_ref="key:book")
    change = EntityUpdateDescriptionInput(model_ref=model, entity_ref="key:book", value=text)
    rehearsed = models.entity_update_description(change, dry_run="true")
    updated = models.entity_update_description(change, if_match=f'"{imported.id}-{imported.revision}"')
    after = models.entity_get(model_ref=model, entity_ref="key:book")
    listed = models.entity_list(model_ref=model, limit=1)
    described = SearchFilter(TextFilter(type="text", condition="contains", value=text))
    found = models.search_by_post(SearchInput(filters=SearchFilters(items=[described])))
    try:
        models.entity_get(model_ref=model, entity_ref="key:nothing")
    except NotFoundException as error:
        refused = error.data

print(
    json.dumps(
        {
            "entities": imported.counts.entities,
            "before": before.description,
            "rehearsed": [row.change for row in rehearsed.changes],
            "changed": updated.changed,
            "after": after.description,
            "listed": [row.key for row in listed.items],
            "found": [row.location.entity_key for row in found.items],
            "refused": [refused.status, refused.code],
        }
    )
)
