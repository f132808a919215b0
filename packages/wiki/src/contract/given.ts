import * as z from 'zod';

/**
 * The input without the fields that hold their default, so that only the caller's own fields travel: an older
 * side refuses fields that it does not know. The other side fills in the same defaults again.
 */
export function withoutDefaults(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => withoutDefaults(inner.element as z.ZodType, item));
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, field]) => {
    const fieldSchema = inner.shape[name] as z.ZodType | undefined;
    if (fieldSchema === undefined) return [[name, field]];
    const isDefault =
      fieldSchema instanceof z.ZodDefault &&
      JSON.stringify(fieldSchema.def.defaultValue) === JSON.stringify(field);
    return isDefault ? [] : [[name, withoutDefaults(fieldSchema, field)]];
  });
  return Object.fromEntries(kept);
}

/** The schema inside `optional`, `nullable` and `default`. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}
