import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { PhoneNumber } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { unauthorized } from '../faults'
import { inQuery } from '../http/query'
import { createRecords } from './records'
import { isCaller, same } from './wire'

const NEWEST = 50

const Template = Type.Object({ to: Type.String(), template: Type.Object({ components: Type.Array(Type.Object({ parameters: Type.Array(Type.Object({ text: Type.String() }), { minItems: 1 }) }), { minItems: 1 }) }) })
const Sent = Type.Object({ id: Type.String(), phone: Type.String(), otp: Type.String(), text: Type.String(), sent_at: Type.String() })
const Inbox = Type.Object({ phone: Type.Optional(PhoneNumber) })

/** Stands in for the WhatsApp Cloud API and shows what was sent. */
export const sandboxMessages = (deps: Deps) => {
  const messages = createRecords<{ id: string; phone: string; otp: string; text: string }>(deps.orm, 'message')
  return new Elysia({ prefix: '/sandbox', tags: ['Sandbox'] })
    .post('/whatsapp/:phoneNumberId/messages', async ({ request, body }) => {
      const refusal = (status: number, code: number, message: string) => Response.json({ error: { message, type: 'OAuthException', code, fbtrace_id: randomUUID() } }, { status })
      if (!isCaller(deps, request)) return refusal(401, 190, 'Invalid access token')
      if (!Value.Check(Template, body)) return refusal(400, 100, 'Invalid parameter')
      const id = `wamid.${randomUUID()}`, phone = body.to.replace(/^91/, ''), otp = body.template.components[0]!.parameters[0]!.text
      await messages.add(id, { id, phone, otp, text: `${otp} is your Kiraya verification code.` }, deps.now())
      deps.log.info(`Sandbox message: the one-time password for ${phone.slice(0, 2)}******${phone.slice(-2)} is ${otp}`)
      return Response.json({ messaging_product: 'whatsapp', contacts: [{ input: body.to, wa_id: body.to }], messages: [{ id }] })
    })
    .get('/messages', async ({ query, request }) => {
      const { SANDBOX_TOKEN } = deps.config
      if (SANDBOX_TOKEN && !same(request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? '', SANDBOX_TOKEN)) throw unauthorized('The sandbox asks for SANDBOX_TOKEN as its bearer token')
      const found = await messages.newest(NEWEST, query.phone ? { phone: query.phone } : {})
      return found.map(({ created_at, ...message }) => ({ ...message, sent_at: created_at }))
    }, { ...inQuery(Inbox), response: { 200: Type.Array(Sent) }, detail: { summary: 'The newest messages, newest first' } })
}
