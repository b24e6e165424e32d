import { Elysia } from 'elysia'
import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { getSqlState } from '../../db/database-errors'
import { migrations } from '../../db/migrations'
import { getKysely } from '../../db/database'
import type { Deps } from '../deps'
import { refuse } from '../errors'
import examples from './examples.json'

const NO_SUCH_TABLE = '42P01'
const Health = Type.Object({ status: Type.String() })

export const healthRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/health', tags: ['Health'], detail: { security: [], examples } })
    .guard({ response: { 200: Health } })
    .get('', () => loadReadiness(deps), {
      detail: {
        operationId: 'getHealth',
        summary: 'The same as readiness',
        description: 'Answers as `/health/ready` does, for probes that are set to this path.',
        reasons: ['migrations_missing', 'server_stopping'],
      },
    })
    .get('/live', () => ({ status: 'live' }), {
      detail: {
        operationId: 'getLiveness',
        summary: 'The process runs',
        description: 'Answers as long as the process runs. Restart it when this fails. It needs no database.',
      },
    })
    .get('/ready', () => loadReadiness(deps), {
      detail: {
        operationId: 'getReadiness',
        summary: 'The database is reachable and up to date',
        description:
          'Answers 200 when the database is reachable and has every migration. Send requests elsewhere when this is 503.',
        reasons: ['migrations_missing', 'server_stopping'],
      },
    })

async function loadReadiness({ db, isDraining }: Deps) {
  if (isDraining()) throw refuse('server_stopping')
  const { rows } = await sql<{ name: string }>`select name from mikro_orm_migrations`
    .execute(getKysely(db))
    .catch(error => {
      if (getSqlState(error) === NO_SUCH_TABLE) return { rows: [] }
      throw refuse('database_unreachable', {}, { cause: error })
    })
  const applied = new Set(rows.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  if (missing.length) throw refuse('migrations_missing', { names: missing.map(({ name }) => name) })
  return { status: 'ready' }
}
