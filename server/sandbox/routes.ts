import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { page, paragraph } from '../pages'
import { sandboxControl } from './control'
import { deskPages } from './desk'
import { sandboxKyc } from './ekyc'
import { sandboxSigning } from './esign'
import { sandboxMessages } from './messages'
import { sampleLease } from './pdf'
import { checkPages, signingPages } from './people'
import { createSandbox } from './sandbox'

/**
 * The stand-ins for those providers that no setting names, and the pages that people come back to from any provider.
 * `pages` reads what it is posted by itself: forms and documents; `api` is posted JSON.
 */
export const sandboxRoutes = (deps: Deps) => {
  const { messages, signing, kyc } = deps.config.sandbox
  const none = new Elysia()
  const returns = new Elysia()
    .get('/signed', () =>
      page(
        'Thank you',
        paragraph('Your answer is on its way to the parties of the agreement. You can close this page.'),
      ),
    )
    .get('/verified', () =>
      page('Thank you', paragraph('Go back to Kiraya to finish the check of your identity.')),
    )
  if (!messages && !signing && !kyc) return { pages: returns, api: none }

  const sandbox = createSandbox(deps)
  const esign = signing ? sandboxSigning(sandbox) : { api: none, files: none }
  let woken = false
  // What an instance that has stopped was still to do is taken up with the first call.
  const wake = new Elysia({ name: 'sandbox-wake' }).onBeforeHandle({ as: 'scoped' }, () => {
    if (woken) return
    woken = true
    void sandbox.later
      .wake()
      .catch(error => deps.log.warn({ err: error }, 'The sandbox could not do what was due'))
  })
  return {
    pages: new Elysia()
      .use(returns)
      .use(wake)
      .use(deskPages(sandbox))
      .use(esign.files)
      .use(signing ? signingPages(sandbox) : none)
      .use(kyc ? checkPages(sandbox) : none)
      .get(
        '/sandbox/files/sample-lease.pdf',
        () =>
          new Response(sampleLease() as Uint8Array<ArrayBuffer>, {
            headers: { 'content-type': 'application/pdf' },
          }),
      ),
    api: new Elysia()
      .use(wake)
      .use(messages ? sandboxMessages(sandbox) : none)
      .use(esign.api)
      .use(kyc ? sandboxKyc(sandbox) : none)
      .use(sandboxControl(sandbox)),
  }
}
