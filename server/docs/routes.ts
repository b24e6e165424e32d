import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { refuse } from '../errors'
import { createStaticFile, IMMUTABLE } from '../http/static-files'
import { icon } from '../pages/layout'
import { loadAssets } from './assets'
import { findGuide, renderGuide } from './guides'
import { guidePage, homePage, referencePage } from './pages'

const DAY = 'public, max-age=86400'
const favicon = createStaticFile('image/svg+xml', () => icon)

/** The pages for people: what runs here, and the documentation, without a request to another host. */
export const docsRoutes = ({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>) =>
  new Elysia({ detail: { hide: true } })
    .get('/', () => homePage(config))
    .get('/docs', async () => referencePage(config, await loadAssets()))
    .get('/docs/:guide', async ({ params }) => {
      const guide = findGuide(params.guide)
      if (!guide) throw refuse('page_not_found')
      return guidePage(guide.title, guide.slug, renderGuide(guide, publicUrl()), await loadAssets())
    })
    .get('/assets/:file', async ({ params, request }) => {
      const file = (await loadAssets()).find(params.file)
      if (!file) throw refuse('page_not_found')
      return await file.respond(request, IMMUTABLE)
    })
    // Browsers ask for the second address by themselves.
    .get('/favicon.svg', ({ request }) => favicon.respond(request, DAY))
    .get('/favicon.ico', ({ request }) => favicon.respond(request, DAY))
