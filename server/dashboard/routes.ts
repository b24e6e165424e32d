import { Elysia } from 'elysia'
import { Dashboard } from '@kiraya/sdk/contract'
import { signInStatus } from '../auth/queries'
import { dayInIndia } from '../calendar'
import type { Deps } from '../deps'
import { forbidden } from '../faults'
import { asking, type Asker } from '../http/actor'
import { dashboard } from './queries'

export const dashboardRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Dashboard'] })
    .use(asking(deps))
    .get('/dashboard', ({ asker }) => getDashboard(asker, deps.now()), {
      response: { 200: Dashboard },
      detail: { summary: 'Counts and recent activity' },
    })

async function getDashboard(asker: Asker, now: Date) {
  const found = await asker.row('User', dashboard, { today: dayInIndia(now) })
  const status = signInStatus(found.user)
  if (status !== 'LOGIN_SUCCESSFUL') throw forbidden(`Finish your onboarding first: ${status}`, { status })
  return found
}
