import { Elysia } from 'elysia'
import { EraseInput, Message, PersonalData } from '@kiraya/sdk/contract'
import { limitWrongOtps } from '../auth/access'
import type { Deps } from '../deps'
import { withActor, withReader } from '../http/authentication'
import { toRawJsonStreamSchema } from '../http/raw-json'
import { eraseUser } from './erase'
import { exportPersonalData } from './export'
import { getClientAddress } from '../http/client-ip'

export const privacyRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth/me', tags: ['Sign-in'] }).use(exportRoute(deps)).use(erasureRoute(deps))

/** The replica is given up when it takes as long as an export may. */
const exportRoute = (deps: Deps) =>
  new Elysia().use(withReader(deps, { isOfPrimary: true })).get(
    '/export',
    ({ reader, set }) => {
      set.headers['content-disposition'] = 'attachment; filename="kiraya-export.json"'
      return exportPersonalData(deps, reader)
    },
    {
      response: { 200: toRawJsonStreamSchema(PersonalData) },
      detail: { summary: 'Export all stored data about the caller' },
    },
  )

const erasureRoute = (deps: Deps) =>
  new Elysia().use(withActor(deps, { runInTurn: deps.runErasure })).delete(
    '',
    ({ actor, body, request, server }) => {
      const address = getClientAddress(request, server, deps.config.TRUSTED_PROXIES)
      const client = { phone: actor.phone, address }
      return limitWrongOtps(deps, client, () => eraseUser(deps, actor, body, address))
    },
    {
      body: EraseInput,
      response: { 200: Message },
      detail: { summary: 'Erase the caller, who confirms with a fresh one-time password' },
    },
  )
