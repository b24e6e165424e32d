import { expect, test } from 'bun:test'
import { listSigningProviderNames } from '../../../../server/providers/signing/lookup'
import { createRecordedProvider } from '../../../support/recorded-provider'

test('both protocols are of the real provider, or both are of the sandbox', () => {
  const real = createRecordedProvider({ ESIGN_PROTOCOL: 'native' })
  const sandboxed = createRecordedProvider({ ESIGN_API_URL: '' })
  expect(listSigningProviderNames(real.replay())).toEqual(['setu-native', 'setu'])
  expect(listSigningProviderNames(sandboxed.replay())).toEqual(['sandbox', 'sandbox-native'])
})
