import { Elysia } from 'elysia'
import { Erase, Message, PersonalData } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { acting, asking } from '../http/actor'
import { addressOf } from '../http/limits'
import { erase } from './erase'
import { exportOf } from './export'

export const personalRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth/me', tags: ['Sign-in'] })
    .use(
      new Elysia().use(asking(deps)).get(
        '/export',
        ({ asker, set }) => {
          set.headers['content-disposition'] = 'attachment; filename="kiraya-export.json"'
          return exportOf(deps, asker)
        },
        { response: { 200: PersonalData }, detail: { summary: 'All that is kept about the caller' } },
      ),
    )
    .use(acting(deps))
    .delete(
      '',
      ({ actor, body, request, server }) =>
        erase(deps, actor, body, addressOf(request, server, deps.config.TRUSTED_PROXIES)),
      {
        body: Erase,
        response: { 200: Message },
        detail: { summary: 'Erase the caller, who confirms it with a fresh one-time password' },
      },
    )
