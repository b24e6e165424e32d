import { Elysia } from 'elysia'
import { EraseInput, Message, PersonalData } from '@kiraya/sdk/contract'
import { limitWrongOtps } from '../accounts/auth/sign-in-limits'
import type { Deps } from '../deps'
import { rawJsonStream } from '../http/reads/raw-json'
import { actorRoutes, readerRoutes } from '../http/routes'
import { eraseUser } from './erase'
import { createExporter } from './export'
import examples from './examples.json'

export const privacyRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth/me', tags: ['Sign-in'], detail: { examples } })
    .use(exportRoute(deps))
    .use(erasureRoute(deps))

/** The replica is given up when it takes as long as an export may. */
function exportRoute(deps: Deps) {
  const exportPersonalData = createExporter(deps)
  return readerRoutes(deps, deps.db).get(
    '/export',
    ({ reader, set }) => {
      set.headers['content-disposition'] = 'attachment; filename="kiraya-export.json"'
      return exportPersonalData(reader)
    },
    {
      response: { 200: rawJsonStream(PersonalData) },
      detail: {
        operationId: 'exportPersonalData',
        summary: 'Export all stored data about the caller',
        description:
          'Returns what is stored about the caller, table by table, as a download. Passwords, tokens and one-time ' +
          'passwords are omitted.',
        reasons: ['export_in_progress'],
      },
    },
  )
}

/** Its response is not stored, since a repeated request has no session. */
const erasureRoute = (deps: Deps) =>
  actorRoutes(deps).delete(
    '',
    ({ actor, body }) => limitWrongOtps(deps, actor.phone, () => eraseUser(deps, actor, body)),
    {
      body: EraseInput,
      response: { 200: Message },
      detail: {
        operationId: 'eraseUser',
        summary: 'Erase the caller, who confirms with a fresh one-time password',
        description:
          'Erases the account and what is personal in its records, for good. Request a one-time password first. ' +
          'Signed agreements stay as evidence, without names. What the caller has not signed is declined or withdrawn. ' +
          'Refused while an agreement is ACTIVE or signed by the caller, a deposit is held, or a certificate is not ' +
          'stored yet.',
        reasons: [
          'agreements_open',
          'certificate_not_stored',
          'deposit_held',
          'erasure_contended',
          'too_many_wrong_otps',
          'wrong_otp',
        ],
      },
    },
  )
