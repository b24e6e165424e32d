import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { controlRoutes } from './control'
import { createSandboxCore, type SandboxCore } from './core'
import { getSampleLease, SAMPLE_LEASE_PATH } from '../documents/sample-lease'
import { ekycRoutes } from './ekyc'
import { esignRoutes } from './esign'
import { pdfResponse } from './esign-calls'
import { esignDocumentRoutes } from './esign-documents'
import { paragraph } from '../pages/elements'
import { kycPageRoutes } from './pages/kyc'
import { page } from '../pages/layout'
import { overviewRoutes } from './pages/overview'
import { signingPageRoutes } from './pages/signing'
import { handleKycTasks } from './kyc-checks'
import { handleSigningTasks } from './signing-requests'
import { whatsappRoutes } from './whatsapp'

/**
 * The simulated providers, if there are no settings for real ones, and the pages to which any provider sends
 * people back. `pages` parse their own bodies (forms and files); `api` receives JSON.
 */
export function sandboxRoutes(deps: Deps) {
  const { messages, signing, kyc } = deps.config.sandbox
  if (!messages && !signing && !kyc) return { pages: returnRoutes(), api: new Elysia() }

  const sandbox = createSandboxCore(deps)
  handleSigningTasks(sandbox)
  handleKycTasks(sandbox)
  const resume = resumeTasks(sandbox)
  const none = new Elysia()
  return {
    pages: new Elysia()
      .use(returnRoutes())
      .use(resume)
      .use(overviewRoutes(sandbox))
      .use(signing ? esignDocumentRoutes(sandbox) : none)
      .use(signing ? signingPageRoutes(sandbox) : none)
      .use(kyc ? kycPageRoutes(sandbox) : none)
      .get(SAMPLE_LEASE_PATH, async () => pdfResponse(await getSampleLease(), 'sample-lease.pdf')),
    api: new Elysia()
      .use(resume)
      .use(messages ? whatsappRoutes(sandbox) : none)
      .use(signing ? esignRoutes(sandbox) : none)
      .use(kyc ? ekycRoutes(sandbox) : none)
      .use(controlRoutes(sandbox)),
  }
}

const returnRoutes = () =>
  new Elysia()
    .get('/signed', () =>
      page(
        'Thank you',
        paragraph('The parties of the agreement will see your response. You can close this page.'),
      ),
    )
    .get('/verified', () => page('Thank you', paragraph('Go back to Kiraya to finish your identity check.')))

/** With the first request, takes over tasks that a stopped instance left behind. */
function resumeTasks({ scheduler }: SandboxCore) {
  let isResumed = false
  return new Elysia({ name: 'sandbox-resume-tasks' }).onBeforeHandle({ as: 'scoped' }, () => {
    if (isResumed) return
    isResumed = true
    scheduler.runDueInBackground()
  })
}
