import type { en } from './en'

type English = typeof en
/** Reasons with a sentence of their own: the rules of a schema make those of `invalid_fields`. */
export type NamedReason = keyof English

/** A sentence for each reason, with the parameters of the English one; a missing sentence does not compile. */
export type Catalogue = {
  [R in NamedReason]: English[R] extends (params: infer Params) => string
    ? (params: Params) => string
    : string
}
/** What the sentence of a reason depends on. */
export type ParamsOf<R extends NamedReason> = English[R] extends (params: infer Params) => string
  ? Params
  : undefined
