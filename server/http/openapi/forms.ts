import type { ErrorReason } from '@kiraya/sdk/contract'
import type { ApiError } from '../../errors'
import { isRecord, renameFields, toCamelCase, toCamelCaseSchema } from '../variants/camel-case'
import { supportsBothVariants } from '../variants/detect-variant'
import { dialects } from '../variants/dialect'
import type { Variant } from '../../domain/variants'
import { toEnvelopeSchema, type Json } from './schemas'

/** How the clients of a variant write JSON: its schemas, and its examples from recorded ones of Variant B. */
export type Form = {
  toErrorSchema: (reasons: ErrorReason[]) => Json
  toErrorExample: (error: ApiError) => object
  toBodySchema: (schema: Json) => Json
  toBodyExample: (body: unknown) => unknown
  toResultSchema: (schema: Json) => Json
  toResultExample: (answer: unknown) => unknown
}

/** Validators of examples refuse what only the other part of a composed schema declares. */
const anyError = { code: {}, message: {}, details: {} }

const forms: Record<Variant, Form> = {
  a: {
    toErrorSchema: () => ({ $ref: '#/components/schemas/ErrorOfVariantA' }),
    toErrorExample: error => dialects.a.encodeError(error, 'en'),
    toBodySchema: toCamelCaseSchema,
    toBodyExample: body => renameFields(body, toCamelCase),
    toResultSchema: toCamelCaseSchema,
    toResultExample: answer =>
      dialects.a.encodeResult(isRecord(answer) && 'data' in answer ? answer.data : answer),
  },
  b: {
    toErrorSchema: reasons => ({
      allOf: [
        { $ref: '#/components/schemas/Error' },
        { properties: { error: { properties: { ...anyError, reason: { enum: reasons } } } } },
      ],
    }),
    toErrorExample: error => dialects.b.encodeError(error, 'en'),
    toBodySchema: schema => schema,
    toBodyExample: body => body,
    toResultSchema: toEnvelopeSchema,
    toResultExample: answer => answer,
  },
}

/** Variant A has a form of its own only where both variants are served. */
export const getForm = (path: string, variant: Variant) => forms[supportsBothVariants(path) ? variant : 'b']
