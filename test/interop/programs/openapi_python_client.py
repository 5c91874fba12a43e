"""Signs in, imports, reads, updates and finds, by the client that openapi-python-client makes."""

import json
import sys

from metaction_client import AuthenticatedClient, Client
from metaction_client.api.auth import login
from metaction_client.api.model import (
    entity_get,
    entity_list,
    entity_update_description,
    model_import,
    search_by_post,
)
from metaction_client.models import (
    EntityUpdateDescriptionDryRun,
    EntityUpdateDescriptionInput,
    LoginInput,
    ModelImportInput,
    SearchFilters,
    SearchInput,
    TextFilter,
    TextFilterCondition,
    TextFilterType,
)

url, username, password, package, key, text = sys.argv[1:]
model = f"key:{key}"

signed_in = login.sync(client=Client(base_url=url), body=LoginInput(username=username, password=password))
client = AuthenticatedClient(base_url=url, token=signed_in.access_token)

with open(package, encoding="utf-8") as file:
    content = json.load(file)
imported = model_import.sync(client=client, body=ModelImportInput(content=content, model_key=key))
before = entity_get.sync(client=client, model_ref=model, entity_ref="key:book")
change = EntityUpdateDescriptionInput(model_ref=model, entity_ref="key:book", value=text)
rehearsed = entity_update_description.sync(client=client, body=change, dry_run=EntityUpdateDescriptionDryRun.TRUE)
updated = entity_update_description.sync(
    client=client, body=change, if_match=f'"{imported.id}-{imported.revision}"'
)
after = entity_get.sync(client=client, model_ref=model, entity_ref="key:book")
listed = entity_list.sync(client=client, model_ref=model, limit=1)
described = TextFilter(type_=TextFilterType.TEXT, condition=TextFilterCondition.CONTAINS, value=text)
found = search_by_post.sync(client=client, body=SearchInput(filters=SearchFilters(items=[described])))
refused = entity_get.sync(client=client, model_ref=model, entity_ref="key:nothing")

print(
    json.dumps(
        {
            "entities": imported.counts.entities,
            "before": before.description or None,
            "rehearsed": [row.change for row in rehearsed.changes],
            "changed": updated.changed,
            "after": after.description,
            "listed": [row.key for row in listed.items],
            "found": [row.location.entity_key for row in found.items],
            "refused": [refused.status, refused.code],
        }
    )
)
