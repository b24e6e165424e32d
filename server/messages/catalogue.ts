import type { WarningCode } from '@kiraya/sdk/contract'
import * as agreements from './agreements'
import * as auth from './auth'
import * as books from './books'
import * as charges from './charges'
import * as deposits from './deposits'
import * as http from './http'
import * as imports from './imports'
import * as invitations from './invitations'
import * as maintenance from './maintenance'
import * as operations from './operations'
import * as payments from './payments'
import * as privacy from './privacy'
import * as profile from './profile'
import * as properties from './properties'
import * as revisions from './revisions'
import * as sandbox from './sandbox'
import * as signing from './signing'
import * as units from './units'
import type { NamedReason, Sentence, Words } from './words'

export const errors = {
  ...agreements.errors,
  ...auth.errors,
  ...books.errors,
  ...charges.errors,
  ...deposits.errors,
  ...http.errors,
  ...imports.errors,
  ...invitations.errors,
  ...maintenance.errors,
  ...operations.errors,
  ...payments.errors,
  ...privacy.errors,
  ...profile.errors,
  ...properties.errors,
  ...revisions.errors,
  ...sandbox.errors,
  ...signing.errors,
  ...units.errors,
} satisfies Record<NamedReason, Sentence>

export const results = {
  ...agreements.results,
  ...auth.results,
  ...books.results,
  ...charges.results,
  ...deposits.results,
  ...imports.results,
  ...invitations.results,
  ...maintenance.results,
  ...payments.results,
  ...privacy.results,
  ...profile.results,
  ...properties.results,
  ...revisions.results,
  ...sandbox.results,
  ...signing.results,
  ...units.results,
}

export const warnings = {
  ...agreements.warnings,
  ...deposits.warnings,
  ...maintenance.warnings,
  ...payments.warnings,
  ...profile.warnings,
  ...revisions.warnings,
} satisfies Record<WarningCode, Words>

type Errors = typeof errors

/** What the sentence of a reason depends on. */
export type ParamsOf<R extends NamedReason> = Errors[R] extends (params: infer Params) => Words
  ? Params
  : undefined

export function toWords<R extends NamedReason>(reason: R, params: ParamsOf<R>): Words {
  const sentence = errors[reason] as Sentence
  return typeof sentence === 'function' ? sentence(params as never) : sentence
}
