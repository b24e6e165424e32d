import { expect, test } from 'bun:test'
import { createRecordedProvider } from '../../support/recorded-provider'

const ID = 'a/../b?c=d'
const PATH_OF_ID = 'a%2F..%2Fb%3Fc%3Dd'
const [flexi, native] = ['flexi', 'native'].map(ESIGN_PROTOCOL => createRecordedProvider({ ESIGN_PROTOCOL }))
type Providers = ReturnType<ReturnType<typeof createRecordedProvider>['replay']>

test.each([
  ['a status', flexi!, ({ signing }: Providers) => signing.status({ requestId: ID }), '/api/esign/*'],
  ['a cancellation', flexi!, ({ signing }: Providers) => signing.cancel(ID), '/api/esign/*/delete/'],
  ['a download', flexi!, ({ signing }: Providers) => signing.download(ID), '/api/esign/*/pdf'],
  [
    'a native status',
    native!,
    ({ signing }: Providers) => signing.status({ requestId: ID }),
    '/api/signature/*',
  ],
  [
    'a native download',
    native!,
    ({ signing }: Providers) => signing.download(ID),
    '/api/signature/*/download/',
  ],
  ['a status of an identity check', flexi!, ({ kyc }: Providers) => kyc.status(ID), '/api/ekyc/*'],
])(
  'the id in the path of %s is that of the provider, whatever it has in it',
  async (_, provider, call, path) => {
    await Promise.allSettled([call(provider.replay())])
    expect(provider.requests.map(request => request.path)).toEqual([path.replace('*', PATH_OF_ID)])
  },
)
