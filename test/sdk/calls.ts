import { createClient, type CallOptions, type ClientOptions } from '../../sdk'
import { createOperationsClient } from '../../sdk/operations'
import { createSandboxClient } from '../../sdk/sandbox'

export type Clients = ReturnType<typeof createClients>
type Call = (clients: Clients, options: CallOptions) => Promise<unknown>

/** A client of every kind, all with the same options. */
export const createClients = (options: ClientOptions) => ({
  ...createClient(options),
  operations: createOperationsClient(options),
  sandbox: createSandboxClient(options),
})

export const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const nothing = {} as never
const one = { limit: 1 }

/** Every method of the SDK, with the least that it needs. */
export const calls: Record<string, Call> = {
  'auth.sendOtp': ({ auth }, options) => auth.sendOtp('9876543210', options),
  'auth.verify': ({ auth }, options) => auth.verify('9876543210', '123456', options),
  'auth.login': ({ auth }, options) => auth.login('9876543210', 'correct horse', options),
  'auth.logout': ({ auth }, options) => auth.logout({}, options),
  'auth.me': ({ auth }, options) => auth.me(options),
  'auth.exportMyData': ({ auth }, options) => auth.exportMyData(options),
  'auth.eraseMyData': ({ auth }, options) => auth.eraseMyData('123456', options),
  'profile.complete': ({ profile: { complete } }, options) => complete(profile, options),
  'profile.startKyc': ({ profile: { startKyc } }, options) => startKyc(options),
  'profile.completeKyc': ({ profile: { completeKyc } }, options) => completeKyc('v', options),
  'dashboard.get': ({ dashboard }, options) => dashboard.get(options),
  'properties.create': ({ properties }, options) => properties.create(nothing, options),
  'properties.list': ({ properties }, options) => properties.list({}, options),
  'properties.iterate': ({ properties }, options) => properties.iterate({}, options).toArray(one),
  'properties.get': ({ properties }, options) => properties.get(1, options),
  'properties.update': ({ properties }, options) => properties.update(1, {}, options),
  'properties.delete': ({ properties }, options) => properties.delete(1, options),
  'properties.search': ({ properties }, options) => properties.search({ name: 'a', pin_code: 1 }, options),
  'units.create': ({ units }, options) => units.create(1, nothing, options),
  'units.list': ({ units }, options) => units.list(1, {}, options),
  'units.iterate': ({ units }, options) => units.iterate(1, {}, options).toArray(one),
  'units.get': ({ units }, options) => units.get(1, 2, options),
  'units.update': ({ units }, options) => units.update(1, 2, {}, options),
  'units.delete': ({ units }, options) => units.delete(1, 2, options),
  'units.resign': ({ units }, options) => units.resign(1, 2, options),
  'tenants.create': ({ tenants }, options) => tenants.create(nothing, options),
  'tenants.list': ({ tenants }, options) => tenants.list({}, options),
  'tenants.iterate': ({ tenants }, options) => tenants.iterate({}, options).toArray(one),
  'agreements.create': ({ agreements }, options) => agreements.create(nothing, options),
  'agreements.list': ({ agreements }, options) => agreements.list({}, options),
  'agreements.iterate': ({ agreements }, options) => agreements.iterate({}, options).toArray(one),
  'agreements.get': ({ agreements }, options) => agreements.get(1, options),
  'agreements.waitFor': ({ agreements }, options) => agreements.waitFor(1, undefined as never, options),
  'agreements.update': ({ agreements }, options) => agreements.update(1, {}, options),
  'agreements.delete': ({ agreements }, options) => agreements.delete(1, options),
  'agreements.revise': ({ agreements }, options) => agreements.revise(1, {}, options),
  'agreements.sign': ({ agreements }, options) => agreements.sign(1, { signer_id: 1 }, options),
  'agreements.signatures': ({ agreements }, options) => agreements.signatures(1, options),
  'agreements.cancelSignature': ({ agreements }, options) => agreements.cancelSignature(1, 's', options),
  'agreements.decline': ({ agreements }, options) => agreements.decline(1, {}, options),
  'agreements.timeline': ({ agreements }, options) => agreements.timeline(1, options),
  'agreements.document': ({ agreements }, options) => agreements.document(1, {}, options),
  'agreements.certificate': ({ agreements }, options) => agreements.certificate(1, options),
  'agreements.terminate': ({ agreements }, options) => agreements.terminate(1, {}, options),
  'agreements.complete': ({ agreements }, options) => agreements.complete(1, options),
  'operations.webhooks': ({ operations }, options) => operations.webhooks({}, options),
  'operations.iterateWebhooks': ({ operations }, options) =>
    operations.iterateWebhooks({}, options).toArray(one),
  'operations.replay': ({ operations }, options) => operations.replay(1, options),
  'operations.invite': ({ operations }, options) => operations.invite(nothing, options),
  'operations.invitations': ({ operations }, options) => operations.invitations({}, options),
  'operations.iterateInvitations': ({ operations }, options) =>
    operations.iterateInvitations({}, options).toArray(one),
  'operations.cancelInvitation': ({ operations }, options) => operations.cancelInvitation(1, options),
  'operations.jobs': ({ operations }, options) => operations.jobs(options),
  'sandbox.state': ({ sandbox }, options) => sandbox.state(options),
  'sandbox.messages': ({ sandbox }, options) => sandbox.messages({}, options),
  'sandbox.addFault': ({ sandbox }, options) => sandbox.addFault(nothing, options),
  'sandbox.removeFault': ({ sandbox }, options) => sandbox.removeFault('1', options),
  'sandbox.clearFaults': ({ sandbox }, options) => sandbox.clearFaults(options),
  'sandbox.moveClock': ({ sandbox }, options) => sandbox.moveClock({}, options),
  'sandbox.sign': ({ sandbox }, options) => sandbox.sign('1', 'sign', options),
  'sandbox.check': ({ sandbox }, options) => sandbox.check('1', 'approve', options),
}
