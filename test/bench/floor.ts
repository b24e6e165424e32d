import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { findPlace } from '../../db/pin-codes'
import * as text from './floor-sql'

/**
 * What Kiraya's work costs at least: the same answers after the same checks, from a bare Bun.serve with SQL written
 * by hand. Reads are one prepared statement. Changes do statement for statement what Kiraya does in the same
 * transactions. It knows right requests only: bodies are not validated, and what is refused gets an empty answer.
 */
const {
  PORT,
  REUSE_PORT,
  DATABASE_SOCKET,
  DATABASE_NAME,
  JWT_SECRET = '',
  ESIGN_WEBHOOK_SECRET = '',
  SANDBOX_OTP = '',
} = process.env
const sql = new Bun.SQL({ path: DATABASE_SOCKET, username: 'kiraya', database: DATABASE_NAME, max: 10 })
type Db = Pick<Bun.SQL, 'unsafe'>
type Row = Record<string, any>
const all = (db: Db, statement: string, ...values: unknown[]): Promise<Row[]> => db.unsafe(statement, values)
const one = async (db: Db, statement: string, ...values: unknown[]) =>
  (await all(db, statement, ...values))[0] ?? refuse(404)

class Refusal extends Error {
  constructor(readonly status: number) {
    super()
  }
}
const refuse = (status: number): never => {
  throw new Refusal(status)
}
const answer = (body: unknown, status = 200) =>
  Response.json(body, {
    status,
    headers: {
      'x-request-id': randomUUID(),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')
const later = (ms: number) => new Date(Date.now() + ms).toISOString()
const DAY = 86_400_000

type Claims = { sub: string; phone: string; sid: string; exp: number }
/** The values that the session's lookup needs, once the token's signature is right. */
function sessionOf(request: Request) {
  const token = request.headers.get('authorization')?.slice(7) ?? ''
  const [head, body, signature = ''] = token.split('.')
  const right = createHmac('sha256', JWT_SECRET).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== right.length || !timingSafeEqual(given, right)) refuse(401)
  const { sub, phone, sid, exp }: Claims = JSON.parse(Buffer.from(body!, 'base64url').toString())
  return exp * 1000 > Date.now() ? [sha256(token), sid, Number(sub), phone] : refuse(401)
}
const actorOf = async (request: Request): Promise<number> =>
  (await one(sql, text.actor, ...sessionOf(request))).id

type Incoming = Bun.BunRequest<string>
const read = (
  statement: string,
  view: (row: Row) => unknown,
  ...values: ((request: Incoming) => unknown)[]
) => ({
  GET: async (request: Incoming) =>
    answer(view(await one(sql, statement, ...sessionOf(request), ...values.map(value => value(request))))),
})
const param = (name: string) => (request: Incoming) => Number(request.params[name as never])
const search = (name: string) => (request: Incoming) => new URL(request.url).searchParams.get(name)
const page =
  (limit: number) =>
  ({ data, total }: Row) => ({
    data,
    metadata: { page: 1, limit, total, total_pages: Math.ceil(total / limit) },
  })
const statusOf = (user: Row) =>
  !user.has_completed_profile
    ? 'NEEDS_PROFILE_COMPLETION'
    : !user.has_verified_profile
      ? 'NEEDS_VERIFICATION'
      : 'LOGIN_SUCCESSFUL'
const found = ({ row }: Row) => row ?? refuse(404)

const happened = (
  users: number[],
  type: string,
  message: string,
  entity_type: string,
  entity_id: number,
  actor_id: number | null,
) => [...new Set(users)].map(user_id => ({ user_id, type, message, entity_type, entity_id, actor_id }))
const tell = (db: Db, ...news: Row[][]) =>
  all(
    db,
    text.tell,
    new Date().toISOString(),
    JSON.stringify(news.flatMap((rows, position) => rows.map(row => ({ ...row, position })))),
  )
/** An event at the end of the agreement's timeline, and the news of it. */
async function record(
  tx: Db,
  agreement: Row,
  type: string,
  [activity, words]: [string, string],
  users: number[],
  actor: number | null,
  details: Row = {},
) {
  const at = new Date().toISOString()
  const position = agreement.timeline_length + 1
  const inOrder = Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const hash = sha256(
    JSON.stringify([
      agreement.timeline_hash ?? '',
      agreement.agreement_id,
      position,
      type,
      actor,
      inOrder,
      at,
    ]),
  )
  await all(tx, text.addEvent, agreement.id, position, type, actor, JSON.stringify(details), at, hash)
  Object.assign(agreement, { timeline_length: position, timeline_hash: hash })
  return async () =>
    void (await tell(
      tx,
      happened(
        users,
        activity,
        `The agreement ${agreement.agreement_number} ${words}`,
        'agreement',
        agreement.id,
        actor,
      ),
    ))
}

/** The sandbox's provider is asked over HTTP by Kiraya too. */
const provider = (path: string, body?: unknown) =>
  fetch(
    `http://127.0.0.1:${PORT}${path}`,
    body
      ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {},
  ).then(response => response.json() as Promise<Row>)
const addSandboxRecord = (id: string, kind: string, data: unknown) =>
  all(sql, text.addSandboxRecord, id, kind, JSON.stringify(data))

const otpHash = (phone: string, otp: string) =>
  createHmac('sha256', `otp:${JWT_SECRET}`).update(`${phone}:${otp}`).digest('hex')
async function count(keys: [key: string, windowMs: number][], most: number) {
  const values = keys
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, windowMs]) => [key, later(windowMs)])
  const counted = await all(
    sql,
    keys.length === 3 ? text.countThree : text.countTwo,
    new Date().toISOString(),
    ...values,
  )
  if (counted.some(({ count }) => count > most)) refuse(429)
}
const addressOf = (request: Request) => request.headers.get('x-forwarded-for') ?? '127.0.0.1'
const networkOf = (address: string) => `${address.slice(0, address.lastIndexOf('.'))}.0/24`

async function sendOtp(request: Request, phone: string, lifetimeMs: number) {
  const address = addressOf(request)
  await count(
    [
      [`otp:${phone}:${networkOf(address)}`, 900_000],
      [`otp:${phone}`, DAY],
      [`otp:${address}/32`, 900_000],
    ],
    1_000_000,
  )
  const [user] = await all(sql, text.accountByPhone, phone)
  await provider('/sandbox/whatsapp', { to: phone, otp: SANDBOX_OTP })
  await all(sql, text.putOtp, phone, otpHash(phone, SANDBOX_OTP), later(lifetimeMs), new Date().toISOString())
  return { user, message: 'A one-time password is on its way' }
}

async function openSession(tx: Db, user: Row, variant: 'a' | 'b') {
  const now = new Date()
  const sid = randomUUID()
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const expires = new Date(now.getTime() + 7 * DAY)
  const iat = Math.floor(now.getTime() / 1000)
  const unsigned = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: String(user.id), phone: user.phone, sid, variant, exp: iat + 7 * 86_400, iat })}`
  const access_token = `${unsigned}.${createHmac('sha256', JWT_SECRET).update(unsigned).digest('base64url')}`
  await all(tx, text.dropSessions, user.id, now.toISOString())
  await all(tx, text.deactivateSessions, user.id, now.toISOString())
  await all(
    tx,
    text.addSession,
    sid,
    user.id,
    sha256(access_token),
    later(3_600_000),
    expires.toISOString(),
    now.toISOString(),
  )
  await all(tx, text.signedIn, user.id, now.toISOString())
  const view = (await one(tx, text.userById, user.id)).row
  return { access_token, user: view, status: statusOf(view) }
}
const verify = (phone: string, otp: string, variant: 'a' | 'b') =>
  sql.begin(async tx => {
    const used = await all(tx, text.useOtp, phone, otpHash(phone, otp), new Date().toISOString())
    if (used[0]?.action !== 'DELETE') refuse(401)
    await all(tx, text.addUser, phone)
    return openSession(tx, await one(tx, text.lockUser, phone), variant)
  })
const camel = ({ user_id: _, ...user }: Row) =>
  Object.fromEntries(
    Object.entries(user).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

/** The agreement's rows in the order of the locks. */
async function hold(tx: Db, id: number, actor: number, lockUnit: string) {
  const { property_unit_id } = await one(tx, text.visibleAgreement, id, actor)
  const unit = await one(tx, lockUnit, property_unit_id)
  const agreement = await one(tx, text.lockAgreement, id)
  const tenants = (await all(tx, text.tenantsOf, id)).map(({ tenant_id }): number => tenant_id)
  return { unit, agreement, tenants }
}

async function sign(id: number, actor: number, signer: number) {
  const claim = await sql.begin(async tx => {
    const { agreement, unit, tenants } = await hold(tx, id, actor, text.shareUnit)
    const user = await one(tx, text.activeUser, signer)
    if (
      !['DRAFT', 'PENDING'].includes(agreement.status) ||
      ![agreement.landlord_id, unit.managed_by_id].includes(actor)
    )
      refuse(403)
    if (
      (await all(tx, text.openSignature, id, signer)).length ||
      (
        await one(
          tx,
          text.overlapping,
          id,
          unit.id,
          agreement.agreement_start_date,
          agreement.agreement_end_date,
        )
      ).n
    )
      refuse(400)
    const signature = await one(
      tx,
      text.addSignature,
      id,
      signer,
      agreement.landlord_id === signer ? 'LANDLORD' : 'TENANT',
      later(60_000),
      new Date().toISOString(),
    )
    await all(tx, text.earlierSignatures, id)
    await all(tx, text.twoUsers, agreement.landlord_id, tenants[0])
    return { agreement, user, signature }
  })
  const { signature, user } = claim
  const asked = await provider('/sandbox/esign', {
    documentId: signature.signature_id,
    documentUrl: claim.agreement.document_url,
    document: null,
    flexiOptions: null,
    signers: [{ identifier: user.phone, displayName: `${user.first_name} ${user.last_name}` }],
  })
  await sql.begin(async tx => {
    const { agreement, tenants } = await hold(tx, id, actor, text.lockUnit)
    const { status } = await one(tx, text.lockSignature, signature.id)
    if (
      agreement.revision !== claim.agreement.revision ||
      status !== 'PENDING' ||
      (await one(tx, text.sameRequest, asked.id)).n
    )
      refuse(503)
    await all(tx, text.earlierSignature, id, signer, signature.id)
    const news = await record(
      tx,
      agreement,
      'sent',
      ['agreement_sent', 'was sent to be signed'],
      [agreement.landlord_id, ...tenants],
      actor,
      { signer_id: signer, signature_id: signature.signature_id },
    )
    await all(
      tx,
      text.moveAgreement,
      id,
      'PENDING',
      agreement.timeline_length,
      agreement.timeline_hash,
      null,
      new Date().toISOString(),
    )
    await all(
      tx,
      text.sentSignature,
      signature.id,
      asked.id,
      asked.signers[0].id,
      asked.signers[0].url,
      asked.validUpto,
      later(DAY),
      new Date().toISOString(),
    )
    await news()
    await all(tx, text.knownSignatures, id)
  })
  await all(sql, text.deliveriesOf, asked.id)
  return {
    message: 'Open the address to sign the agreement',
    data: {
      signature_id: signature.signature_id,
      signing_url: asked.signers[0].url,
      expires_at: asked.validUpto,
      status: 'pending',
    },
  }
}

async function webhook(payload: string, signature: string) {
  const right = createHmac('sha256', ESIGN_WEBHOOK_SECRET).update(payload).digest()
  const given = Buffer.from(signature, 'base64')
  const {
    data: { esign },
  } = JSON.parse(payload)
  if (given.length !== right.length || !timingSafeEqual(given, right)) refuse(401)
  const delivery = await one(
    sql,
    text.addDelivery,
    sha256(payload),
    payload,
    esign.id,
    esign.documentId,
    later(60_000),
    new Date().toISOString(),
  )
  if (delivery.processed_at) return { message: 'Already processed' }
  await one(sql, text.tryDelivery, delivery.id, new Date().toISOString())
  const known = await one(sql, text.signatureOf, esign.id)
  if ((await provider(`/sandbox/esign/${esign.id}`)).signers[0].status !== 'signed') refuse(503)
  await sql.begin(async tx => {
    const agreement = await one(tx, text.lockAgreement, known.agreement_id)
    const signatures = await all(tx, text.lockSignatures, agreement.id)
    const unit = await one(tx, text.unitById, agreement.property_unit_id)
    const tenants = (await all(tx, text.tenantsOf, agreement.id)).map(({ tenant_id }): number => tenant_id)
    const users = [agreement.landlord_id, unit.managed_by_id, ...tenants]
    const now = new Date().toISOString()
    const news = await record(
      tx,
      agreement,
      'signed',
      ['agreement_signed', 'was signed by one of its parties'],
      users,
      known.signer_id,
      { signer_id: known.signer_id, signature_id: known.signature_id },
    )
    await all(
      tx,
      text.moveAgreement,
      agreement.id,
      agreement.status,
      agreement.timeline_length,
      agreement.timeline_hash,
      null,
      now,
    )
    await all(tx, text.signedSignature, known.id, now)
    await news()
    if (signatures.some(each => each.id !== known.id && each.status !== 'SIGNED')) return
    const active = await record(tx, agreement, 'activated', ['agreement_activated', 'is active'], users, null)
    await all(
      tx,
      text.moveAgreement,
      agreement.id,
      'ACTIVE',
      agreement.timeline_length,
      agreement.timeline_hash,
      now.slice(0, 10),
      now,
    )
    await all(tx, text.documentsDue, agreement.id, now)
    await active()
  })
  await all(sql, text.deliveryDone, delivery.id, new Date().toISOString())
  return { message: 'Received' }
}

const createProperty = (actor: number, body: Row) =>
  sql.begin(async tx => {
    const { city, district, state } = findPlace(body.pin_code)!
    const now = new Date().toISOString()
    const name = body.society_building
    await one(tx, text.heldUser, actor)
    const { id } = await one(
      tx,
      text.addProperty,
      name,
      body.locality,
      body.pin_code,
      district,
      city,
      state,
      name,
      body.property_type,
      now,
      actor,
    )
    const units = await all(
      tx,
      text.addUnits,
      JSON.stringify(
        body.property_units.map(({ unit_name, room_type }: Row) => ({
          property_id: id,
          landlord_id: actor,
          managed_by_id: actor,
          unit_name,
          room_type,
          is_available: true,
          created_at: now,
          updated_at: now,
        })),
      ),
    )
    await tell(
      tx,
      ...units.map(unit =>
        happened(
          [actor],
          'unit_created',
          `The unit ${unit.unit_name} was listed`,
          'property_unit',
          unit.id,
          actor,
        ),
      ),
      happened([actor], 'property_created', `You listed ${name}`, 'property', id, actor),
    )
    return (await one(tx, text.shownProperty, actor, id)).row
  })

const patchUnit = (actor: number, property: number, id: number, { unit_notes }: Row) =>
  sql.begin(async tx => {
    const unit = await one(tx, text.lockOwnUnit, id, property, actor)
    await all(tx, text.noteUnit, id, unit_notes, new Date().toISOString())
    await tell(
      tx,
      happened(
        [unit.landlord_id, unit.managed_by_id],
        'unit_updated',
        `The unit ${unit.unit_name} was changed`,
        'property_unit',
        id,
        actor,
      ),
    )
    return (await one(tx, text.shownUnit, actor, id)).row
  })

const createAgreement = (actor: number, body: Row) =>
  sql.begin(async tx => {
    const unit = await one(tx, text.shareOwnUnit, body.property_unit_id, actor)
    const now = new Date()
    const tenant = body.tenant_ids[0]
    const start = body.agreement_start_date
    await one(tx, text.heldUser, tenant)
    const { last_number } = await one(tx, text.nextNumber, unit.landlord_id, now.getFullYear())
    const agreement_number = `AGR-${now.getFullYear()}-${String(last_number).padStart(6, '0')}`
    if ((await one(tx, text.numberTaken, unit.landlord_id, agreement_number)).n) refuse(400)
    const end = new Date(`${start}T00:00:00Z`)
    end.setUTCMonth(end.getUTCMonth() + body.tenure_in_months, end.getUTCDate() - 1)
    const added = await one(
      tx,
      text.addAgreement,
      agreement_number,
      body.document_url,
      unit.id,
      unit.landlord_id,
      start,
      end.toISOString().slice(0, 10),
      body.tenure_in_months,
      body.rent_amount,
      body.deposit_amount,
      body.rent_due_day,
      body.notice_period_days,
      now.toISOString(),
    )
    await all(tx, text.addTenant, added.id, tenant)
    const agreement: Row = { ...added, agreement_number, timeline_length: 0, timeline_hash: null }
    const news = await record(
      tx,
      agreement,
      'created',
      ['agreement_created', 'was drawn up'],
      [unit.landlord_id, unit.managed_by_id],
      actor,
    )
    await all(
      tx,
      text.moveAgreement,
      agreement.id,
      'DRAFT',
      agreement.timeline_length,
      agreement.timeline_hash,
      null,
      new Date().toISOString(),
    )
    await news()
    return {
      message: 'The agreement was created',
      data: (await one(tx, text.shownAgreement, actor, agreement.id)).row,
    }
  })

type Make = (actor: number, body: Row, request: Incoming) => Promise<Row>
const change = (status: number, make: Make) => async (request: Incoming) => {
  const actor = await actorOf(request)
  return answer({ success: true, ...(await make(actor, (await request.json()) as Row, request)) }, status)
}
const open = (make: (body: Row, request: Incoming) => Promise<unknown>) => ({
  POST: async (request: Incoming) => answer(await make((await request.json()) as Row, request)),
})
const enveloped = (data: unknown) => ({ success: true, data })

Bun.serve({
  port: Number(PORT),
  reusePort: REUSE_PORT === 'true',
  hostname: '127.0.0.1',
  routes: {
    '/health/ready': { GET: () => answer(null) },
    '/auth': open(async (body, request) => ({
      message: (await sendOtp(request, body.phoneNumber, 600_000)).message,
    })),
    '/auth/send-otp': open(async (body, request) => {
      const { message, user } = await sendOtp(request, body.phone_number, 300_000)
      const { last_login_at, is_active: _, ...shown } = user ?? {}
      return enveloped({ message, is_existing_user: !!last_login_at, user: user ? shown : null })
    }),
    '/auth/verify': open(async body => {
      const signedIn = await verify(
        body.phoneNumber ?? body.phone_number,
        body.otp,
        body.phoneNumber ? 'a' : 'b',
      )
      return body.phoneNumber ? { ...signedIn, user: camel(signedIn.user) } : enveloped(signedIn)
    }),
    '/auth/login': open(async (body, request) => {
      const keys: [string, number][] = [
        [`login:${body.phone_number}:${networkOf(addressOf(request))}`, 900_000],
        [`login:${body.phone_number}`, DAY],
      ]
      await count(keys, 1_000_000)
      const account = await one(sql, text.password, body.phone_number)
      if (!(await Bun.password.verify(body.password, account.password))) refuse(401)
      const signedIn = await sql.begin(async tx =>
        openSession(tx, await one(tx, text.lockAccount, account.id, account.password), 'b'),
      )
      await all(sql, text.giveBack, keys[0]![0], keys[1]![0])
      return enveloped(signedIn)
    }),
    '/auth/me': read(text.me, ({ row }) => enveloped({ user: row, status: statusOf(row) })),
    '/dashboard': read(
      text.dashboard,
      ({ row }) => (statusOf(row.user) === 'LOGIN_SUCCESSFUL' ? enveloped(row) : refuse(403)),
      () => new Date(Date.now() + 19_800_000).toISOString().slice(0, 10),
    ),
    '/properties': {
      ...read(text.properties, row => ({ success: true, ...page(20)(row) }), search('limit')),
      POST: change(201, async (actor, body) => ({ data: await createProperty(actor, body) })),
    },
    '/properties/search': read(
      text.search,
      ({ data }) => ({ success: true, ...page(10)({ data, total: data.length }) }),
      search('name'),
      search('pin_code'),
    ),
    '/properties/:id': read(text.property, row => enveloped(found(row)), param('id')),
    '/properties/:id/units': read(
      text.units,
      row => (row.there ? { success: true, ...page(50)(row) } : refuse(404)),
      param('id'),
    ),
    '/properties/:id/units/:unit': {
      PATCH: change(200, async (actor, body, request) => ({
        data: await patchUnit(actor, param('id')(request), param('unit')(request), body),
      })),
    },
    '/agreements': {
      ...read(
        text.agreements,
        row => ({ success: true, message: 'Agreements', ...page(20)(row) }),
        search('limit'),
      ),
      POST: change(201, createAgreement),
    },
    '/agreements/:id': read(
      text.agreement,
      row => ({ success: true, message: 'Agreement', data: found(row) }),
      param('id'),
    ),
    '/agreements/:id/signatures': read(
      text.signatures,
      row => {
        const { signatures, signed_date } = found(row)
        return {
          success: true,
          message: 'Signatures',
          data: {
            signatures: signatures.map(({ signed_at, expires_at, decline_reason, ...rest }: Row) => ({
              ...rest,
              ...(signed_at && { signed_at }),
              expires_at,
              decline_reason,
            })),
            allSigned: signed_date !== null,
          },
        }
      },
      param('id'),
      () => new Date().toISOString(),
    ),
    '/agreements/:id/sign': {
      POST: change(200, (actor, { signer_id }, request) => sign(param('id')(request), actor, signer_id)),
    },
    '/webhooks/esign': {
      POST: async request =>
        answer(enveloped(await webhook(await request.text(), request.headers.get('x-setu-signature') ?? ''))),
    },
    '/sandbox/whatsapp': open(async ({ to, otp }) => {
      const id = `wamid.${randomUUID()}`
      await addSandboxRecord(id, 'message', {
        id,
        phone: to,
        otp,
        text: `${otp} is your Kiraya verification code.`,
      })
      return { messages: [{ id }] }
    }),
    '/sandbox/esign': open(async body => {
      const id = randomUUID()
      const made = {
        ...body,
        id,
        validUpto: later(3 * DAY),
        cancelled: false,
        signers: body.signers.map((signer: Row) => ({
          ...signer,
          id: randomUUID(),
          status: 'pending',
          errCode: null,
          signedAt: null,
        })),
      }
      await addSandboxRecord(id, 'esign', made)
      return {
        ...made,
        signers: made.signers.map((signer: Row) => ({
          ...signer,
          url: `https://kiraya.example.com/sandbox/sign/${id}`,
        })),
      }
    }),
    '/sandbox/esign/:id': {
      GET: async request => answer((await one(sql, text.sandboxRecord, request.params.id, 'esign')).data),
    },
  },
  error: error =>
    new Response(error instanceof Refusal ? null : String(error.stack), {
      status: error instanceof Refusal ? error.status : 500,
    }),
})
