import { clock } from '../../../support/server'
import type { TestResponse, TestUser } from '../../../support/users'
import { nativeServer } from './native-fixtures'
import { signingServer, type DraftFixture, type DraftOptions } from './signing-fixtures'

// A signing is the same story in both protocols. What differs is how a party's request is found at the provider,
// and what its webhooks look like; these are told here by party.

type Step = 'create' | 'read' | 'cancel'

type Fixtures = 'time' | 'server' | 'getSignatures' | 'getStatus' | 'getTimeline' | 'findRecords'

export type Protocol = Pick<ReturnType<typeof nativeServer>, Fixtures> & {
  name: string
  createDraft: (options?: DraftOptions) => Promise<DraftFixture>
  /** Whether each request that asks a party was cancelled at the provider. */
  listCancelled: (party: TestUser) => boolean[]
  /** The party signs at the provider, without a webhook. */
  noteSignature: (party: TestUser) => void
  /** The newest request of the party has a webhook of its state. */
  tell: (party: TestUser) => Promise<TestResponse>
  /** The party signs, refuses, opens the page, or is too late, with a webhook. */
  sign: (party: TestUser) => Promise<TestResponse>
  decline: (party: TestUser) => Promise<TestResponse>
  view: (party: TestUser) => Promise<TestResponse>
  expire: (party: TestUser) => Promise<TestResponse>
  /** The end that the provider gives to new requests. */
  expireAt: (end: string | undefined) => void
  /** From now on the provider answers a request so, until it recovers. */
  fail: (step: Step, reply: () => Response | Promise<Response>) => void
  recover: () => void
}

function openFlexi(): Protocol {
  const time = clock()
  const signing = signingServer({ constants: { PROVIDER_RETRIES: 0 }, overrides: { now: time.now } })
  const { provider } = signing
  const list = ({ phone }: TestUser) =>
    [...provider.kept.values()].filter(({ signer }) => signer.identifier === phone)
  const send = (party: TestUser, event: string, change: object, content?: object) =>
    signing.tell(event, Object.assign(list(party).at(-1)!, change), { nonce: nonce++, ...content })
  let nonce = 0
  const signed = { status: 'sign_complete', signerStatus: 'signed', errCode: null }
  const opened = { errCode: 'invaild_otp', signerStatus: 'in_progress' }
  return {
    ...signing,
    time,
    name: 'setu',
    createDraft: signing.createSimpleDraft,
    listCancelled: party => list(party).map(({ cancelled }) => cancelled),
    noteSignature: party => void Object.assign(list(party).at(-1)!, signed),
    tell: party => send(party, 'ESIGN_COMPLETE', {}),
    sign: party => send(party, 'ESIGN_COMPLETE', signed),
    decline: party =>
      send(party, 'ESIGN_FAILED', { errCode: 'signer_declined' }, { errCode: 'signer_declined' }),
    view: party => send(party, 'ESIGN_OTP_FAILED', {}, opened),
    expire: party => send(party, 'ESIGN_EXPIRED', { errCode: 'session_expired' }),
    expireAt: provider.expireAt,
    fail: (step, reply) => void (provider.replies[step] = reply),
    recover: () => {
      for (const step of ['create', 'read', 'cancel'] as const) delete provider.replies[step]
    },
  }
}

const nativeSteps = { create: 'create', read: 'read', cancel: 'delete' } as const

function openNative(): Protocol {
  const native = nativeServer()
  const { provider, server, time, findRequests } = native
  const findLast = (party: TestUser) => findRequests(party).at(-1)!.id
  const send = (party: TestUser, change: Parameters<typeof provider.becomes>[2], content?: object) => {
    provider.becomes(findLast(party), party, change)
    return provider.tell(server.url, findLast(party), { nonce: nonce++, ...content })
  }
  let nonce = 0
  const signed = { status: 'signed', errCode: null } as const
  return {
    ...native,
    name: 'setu-native',
    createDraft: native.createNativeDraft,
    listCancelled: party => findRequests(party).map(({ id }) => provider.deleted.includes(id)),
    noteSignature: party => provider.becomes(findLast(party), party, signed),
    tell: party => send(party, {}),
    sign: party => send(party, signed),
    decline: party => send(party, { errCode: 'signer_declined' }, { event: 'ESIGN_FAILED' }),
    view: party => send(party, { status: 'in_progress' }),
    expire: party => {
      findRequests(party).at(-1)!.validUpto = time.now().toISOString()
      return send(party, {}, { event: 'ESIGN_EXPIRED' })
    },
    expireAt: provider.expireAt,
    fail: (step, reply) => void (provider.replies[nativeSteps[step]] = reply),
    recover: () => {
      for (const step of Object.values(nativeSteps)) delete provider.replies[step]
    },
  }
}

export const protocols: [name: string, open: () => Protocol][] = [
  ['flexi', openFlexi],
  ['native', openNative],
]
