import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sandboxSecret } from '../../../../server/providers/index'
import { signingAdapters } from '../../../../server/providers/signing/index'
import { listSigningProviderNames } from '../../../../server/providers/signing/lookup'
import type { SigningAdapter } from '../../../../server/providers/signing/port'
import { nativeAdapter } from '../../../../server/providers/signing/setu/index'
import { testServer, type TestServer } from '../../../support/server'
import { signingProvider } from '../../agreements/signing/provider'

/** A vendor with an address of its own, whose sandbox signs its webhooks with the sandbox's secret. */
const courierAdapter: SigningAdapter = {
  ...(nativeAdapter as SigningAdapter),
  name: 'courier',
  urlSetting: 'COURIER_URL',
  sandbox: {
    name: 'sandbox-courier',
    toSettings: secret => ({ ESIGN_WEBHOOK_SECRET: secret }),
  },
}

beforeAll(() => void Object.assign(signingAdapters, { courier: courierAdapter }))
afterAll(() => void Reflect.deleteProperty(signingAdapters, 'courier'))

const provider = signingProvider()
const real = testServer({ env: provider.env })
const sandboxed = testServer()

const sendSandboxWebhook = ({ url, deps }: TestServer) =>
  provider.webhook(url, provider.news('ESIGN_COMPLETE', { id: crypto.randomUUID() }), {
    secret: sandboxSecret(deps.config),
  })

test('401: beside a real provider, a webhook with the secret of the sandbox', async () => {
  expect(listSigningProviderNames(real.deps)).toEqual(['setu', 'setu-native'])
  expect((await sendSandboxWebhook(real)).status).toBe(401)
})

test('200: without a real provider, a webhook with the secret of the sandbox', async () => {
  expect(listSigningProviderNames(sandboxed.deps)).toEqual(['sandbox', 'sandbox-native', 'sandbox-courier'])
  expect((await sendSandboxWebhook(sandboxed)).status).toBe(200)
})
