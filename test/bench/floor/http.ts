import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { selectActor } from './queries'

export const { PORT, JWT_SECRET = '' } = process.env

export const pool = new Bun.SQL({
  path: process.env.DATABASE_SOCKET,
  username: 'kiraya',
  database: process.env.DATABASE_NAME,
  max: 10,
})

/** The pool, or a transaction. */
export type Db = Pick<Bun.SQL, 'unsafe'>
// Rows are read as PostgreSQL sends them, without types.
export type Row = Record<string, any>

export const selectAll = (db: Db, statement: string, ...values: unknown[]): Promise<Row[]> =>
  db.unsafe(statement, values)

export async function selectOne(db: Db, statement: string, ...values: unknown[]) {
  const [row] = await selectAll(db, statement, ...values)
  return row ?? refuse(404)
}

export class Refusal extends Error {
  constructor(readonly status: number) {
    super()
  }
}

export function refuse(status: number): never {
  throw new Refusal(status)
}

export const respond = (body: unknown, status = 200) =>
  Response.json(body, {
    status,
    headers: {
      'x-request-id': randomUUID(),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })

export const toEnvelope = (data: unknown) => ({ success: true, data })

export const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')

export const getNow = () => new Date().toISOString()

export function getIndianDate() {
  const indianOffsetMs = 19_800_000
  return new Date(Date.now() + indianOffsetMs).toISOString().slice(0, 10)
}

type Claims = { sub: string; phone: string; sid: string; exp: number }

/** The values that the session's lookup needs, once the token's signature is right. */
function readToken(request: Request) {
  const token = request.headers.get('authorization')?.slice(7) ?? ''
  const [head, body, signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = createHmac('sha256', JWT_SECRET).update(`${head}.${body}`).digest()
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) refuse(401)
  const { sub, phone, sid, exp }: Claims = JSON.parse(Buffer.from(body!, 'base64url').toString())
  return exp * 1000 > Date.now() ? [sha256(token), sid, Number(sub), phone] : refuse(401)
}

async function getActorId(request: Request): Promise<number> {
  const actor = await selectOne(pool, selectActor, ...readToken(request))
  return actor.id
}

export type Incoming = Bun.BunRequest<string>
type GetValue = (request: Incoming) => unknown

export const param = (name: string) => (request: Incoming) => Number(request.params[name as never])

export const queryValue = (name: string) => (request: Incoming) => new URL(request.url).searchParams.get(name)

/** A GET is one statement, which looks the session up too. */
export const read = (
  statement: string,
  toBody: (row: Row, request: Incoming) => unknown,
  ...values: GetValue[]
) => ({
  GET: async (request: Incoming) => {
    const own = values.map(getValue => getValue(request))
    return respond(toBody(await selectOne(pool, statement, ...readToken(request), ...own), request))
  },
})

type Change = (actorId: number, body: Row, request: Incoming) => Promise<Row>

/** A change by a user who has signed in. */
export const change = (status: number, make: Change) => async (request: Incoming) => {
  const actorId = await getActorId(request)
  const body = (await request.json()) as Row
  return respond({ success: true, ...(await make(actorId, body, request)) }, status)
}

export const requireRow = ({ row }: Row) => row ?? refuse(404)
