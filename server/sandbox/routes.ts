import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { page, paragraph } from './html'
import { controlRoutes } from './control'
import { controlPages } from './control-pages'
import { ekycRoutes } from './ekyc'
import { esignRoutes } from './esign'
import { whatsappRoutes } from './whatsapp'
import { renderSampleLease } from './sample-pdfs'
import { checkPageRoutes, signingPageRoutes } from './signer-pages'
import { createSandbox } from './index'

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
  const esign = signing ? esignRoutes(sandbox) : { api: none, files: none }
  let woken = false
  // What an instance that has stopped was still to do is taken up with the first call.
  const wake = new Elysia({ name: 'sandbox-wake' }).onBeforeHandle({ as: 'scoped' }, () => {
    if (woken) return
    woken = true
    void sandbox.scheduler
      .runDue()
      .catch(error => deps.log.warn({ err: error }, 'The sandbox could not do what was due'))
  })
  return {
    pages: new Elysia()
      .use(returns)
      .use(wake)
      .use(controlPages(sandbox))
      .use(esign.files)
      .use(signing ? signingPageRoutes(sandbox) : none)
      .use(kyc ? checkPageRoutes(sandbox) : none)
      .get(
        '/sandbox/files/sample-lease.pdf',
        () =>
          new Response(renderSampleLease() as Uint8Array<ArrayBuffer>, {
            headers: { 'content-type': 'application/pdf' },
          }),
      ),
    api: new Elysia()
      .use(wake)
      .use(messages ? whatsappRoutes(sandbox) : none)
      .use(esign.api)
      .use(kyc ? ekycRoutes(sandbox) : none)
      .use(controlRoutes(sandbox)),
  }
}
