//! Post-processing of the OpenAPI document: what routes and models cannot declare themselves.

use super::{JSON, PROBLEM};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{
    Components, Content, ContentBuilder, Object, OpenApi, Ref, RefOr, ResponseBuilder, Schema,
};

/// Adds a default problem response to every operation, because the gate, the rate limits or HTTP
/// itself may refuse any request.
pub(super) fn document_problems(document: &mut OpenApi) {
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let refusal =
        ResponseBuilder::new().description("Error; see `status`.").content(PROBLEM, problem.clone()).build();
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for operation in operations.into_iter().flatten() {
            let known = &mut operation.responses.responses;
            for response in known.values_mut() {
                let RefOr::T(response) = response else { continue };
                let is_refusal = |content: &RefOr<Content>| matches!(content, RefOr::T(content) if content.schema == problem.schema);
                if response.content.get(JSON).is_some_and(is_refusal)
                    && let Some(content) = response.content.swap_remove(JSON)
                {
                    response.content.insert(PROBLEM.to_owned(), content);
                }
            }
            known.entry("default".to_owned()).or_insert_with(|| refusal.clone().into());
        }
    }
}

/// Merges schemas composed of an object without additional properties and other objects into one
/// object. As `allOf` parts side by side they would forbid each other's properties.
pub(super) fn merge_closed_schemas(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    let joined: Vec<(String, Object)> = components
        .schemas
        .keys()
        .filter_map(|name| Some((name.clone(), joined(components, name)?)))
        .collect();
    for (name, object) in joined {
        components.schemas.insert(name, object.into());
    }
}

/// Returns the merged parts of a schema, if one of them forbids additional properties.
fn joined(components: &Components, name: &str) -> Option<Object> {
    let RefOr::T(Schema::AllOf(all)) = components.schemas.get(name)? else { return None };
    let parts: Vec<&Object> = all.items.iter().map(|part| object(components, part)).collect::<Option<_>>()?;
    let closed = |part: &&Object| {
        matches!(part.additional_properties.as_deref(), Some(AdditionalProperties::FreeForm(false)))
    };
    if !parts.iter().any(closed) {
        return None;
    }
    let mut whole = Object::new();
    whole.description.clone_from(&all.description);
    whole.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    for part in parts {
        whole.properties.extend(part.properties.iter().map(|(name, schema)| (name.clone(), schema.clone())));
        whole.required.extend(part.required.iter().cloned());
    }
    Some(whole)
}

/// Returns the object that a schema is or refers to.
fn object<'d>(components: &'d Components, part: &'d RefOr<Schema>) -> Option<&'d Object> {
    match part {
        RefOr::T(Schema::Object(object)) => Some(object),
        RefOr::T(_) => None,
        RefOr::Ref(to) => object(components, components.schemas.get(to.ref_location.rsplit('/').next()?)?),
    }
}
