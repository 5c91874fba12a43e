import { describe, expect, test } from "vitest";
import { PROPERTY_LIMITS } from "../../shared/domain/limits.ts";
import { getDetails, listParts, pointers, readContent } from "./reading.ts";

describe("members of a field, a schema or a package", () => {
  test("are constraints, properties of the standard, well-known ones and the source's own", async () => {
    const { document, warnings } = await readContent({
      name: "t",
      profile: "x",
      licenses: [{ name: "x" }],
      contributors: [],
      missingValues: ["", "-"],
      fieldsMatch: "subset",
      countryCode: "FR",
      fields: [
        {
          name: "a",
          format: "email",
          rdfType: "http://x",
          example: "x",
          contraints: { required: true },
          constraints: { required: false, pattern: "1", maxLength: " 5", enum: ["x", "x"], jsonSchema: {}, "a/b": 1 },
        },
        { name: "b", type: "date", format: "default", constraints: { minimum: "2020-01-01" } },
        { name: "c", constraints: "required" },
      ],
    });
    expect(document.properties).toEqual({
      "frictionless:descriptor": "table-schema",
      "frictionless:profile": "x",
      licenses: [{ name: "x" }],
      contributors: [],
      countryCode: "FR",
    });
    expect(listParts(document)).toEqual(["t (a string?, b date?, c string?) "]);
    expect(getDetails(document)).toEqual({
      t: { properties: { "frictionless:missingValues": ["", "-"], "frictionless:fieldsMatch": "subset" } },
      "t/a": {
        constraints: { format: "email", pattern: "1", maxLength: 5, enum: ["x"] },
        properties: {
          "frictionless:rdfType": "http://x",
          "frictionless:example": "x",
          contraints: { required: true },
          "frictionless:constraints": { maxLength: " 5", enum: ["x", "x"], jsonSchema: {}, "a/b": 1 },
        },
      },
      "t/b": { properties: { "frictionless:constraints": { minimum: "2020-01-01" } } },
      "t/c": { properties: { "frictionless:constraints": "required" } },
    });
    expect(warnings.map(({ code, detail, pointers: places }) => [code, detail, ...places])).toEqual([
      [
        ...["kept_as_property", "unknown constraint; it is kept as a property"],
        ...["/fields/0/constraints/jsonSchema", "/fields/0/constraints/a~1b"],
      ],
      [
        "likely_typo",
        "contraints is not a member of the standard. Did you mean constraints? It is kept as a property",
        "/fields/0/contraints",
      ],
      [
        ...["kept_as_property", "expected a number, got a string; it is kept as a property"],
        "/fields/1/constraints/minimum",
      ],
      ["kept_as_property", "expected an object, got a string; it is kept as a property", "/fields/2/constraints"],
    ]);
  });

  test("that are well-known but invalid are kept under the standard's name with a warning", async () => {
    const { document, warnings } = await readContent({ name: "t", owner: ["Ada"], created: "in May", fields: [] });
    expect(document.properties).toMatchObject({ "frictionless:owner": ["Ada"], "frictionless:created": "in May" });
    expect(warnings.filter((w) => w.code === "kept_as_property").flatMap((w) => w.pointers)).toEqual([
      "/owner",
      "/created",
    ]);
  });

  test("in several languages are the text of the default one, and a property with all of them", async () => {
    const title = { "": "Sol", en: "Sun" };
    const description = { fr: "Étoile", es: "Estrella" };
    const { document, warnings } = await readContent({
      name: "t",
      languages: ["es", "en"],
      title,
      description,
      fields: [
        { name: "a", title: { en: "Heat", de: "Hitze" } },
        { name: "b", title: { de: "Licht" } },
        { name: "c", title: 5 },
      ],
    });
    expect(document).toMatchObject({
      name: "Sol",
      description: "Estrella",
      properties: { languages: ["es", "en"], "frictionless:title": title, "frictionless:description": description },
    });
    expect(document.entities[0]?.attributes.map((a) => [a.name, a.properties?.["frictionless:title"]])).toEqual([
      ["Heat", { en: "Heat", de: "Hitze" }],
      ["Licht", { de: "Licht" }],
      [undefined, 5],
    ]);
    expect(pointers(warnings)).toEqual(["/fields/2/title"]);
  });

  test("with invalid names of properties get valid ones, and the original is kept", async () => {
    const { document } = await readContent({ name: "t", fields: [], donnée: 1, donnee: 2, "it's": 3 });
    expect(document.properties).toMatchObject({
      donnee_2: 1,
      donnee: 2,
      it_s: 3,
      "frictionless:memberNames": { donnee_2: "donnée", it_s: "it's" },
    });
  });

  test("above the limit of an object are warnings", async () => {
    const many = Object.fromEntries(
      Array.from({ length: PROPERTY_LIMITS.propertiesPerObject + 5 }, (_, i) => [`m${i}`, i]),
    );
    const deep = JSON.parse(`${"[".repeat(20)}${"]".repeat(20)}`);
    const large = "x".repeat(PROPERTY_LIMITS.propertiesBytes);
    const lost = async (members: object) =>
      (await readContent({ name: "t", fields: [], ...members })).warnings
        .filter((w) => w.code === "not_carried_over")
        .map(({ detail, count, pointers: places }) => [detail, count, places[0]]);
    expect(await lost(many)).toEqual([["an object has at most 100 properties", 6, "/m99"]]);
    expect(await lost({ large, small: 1 })).toEqual([
      [expect.stringMatching(/at most 64000 are allowed/), 1, "/large"],
    ]);
    const tooDeep = expect.stringMatching(/not a valid property: is nested deeper/);
    expect(await lost({ deep })).toEqual([[tooDeep, 1, `/deep${"/0".repeat(16)}`]]);
    const credentials = "it contains an address with a user name or a password; it is not imported";
    expect(await lost({ from: [{ at: "https://ada:hunter2@example.org/x" }] })).toEqual([[credentials, 1, "/from"]]);
  });
});
