import { Elysia, type AnyElysia } from 'elysia'
import type { Config } from '../../config'
import { createOpenApiDocument, listVariants } from './document'
import { createStaticFile } from '../static-files'
import type { Variant } from '../../domain/variants'

/** Serves a description of the routes of `app` for the clients of each variant; the first is B's. */
export function openApiRoutes(app: AnyElysia, config: Config, tags: Record<string, string>) {
  const routes = new Elysia({ detail: { hide: true } })
  const serve = (path: string, variant: Variant) => {
    const file = createStaticFile('application/json', () =>
      JSON.stringify(createOpenApiDocument(app, config, variant, tags)),
    )
    routes.get(path, ({ request }) => file.respond(request))
  }
  serve('/openapi.json', config.API_VARIANT === 'a' ? 'a' : 'b')
  for (const variant of listVariants(config)) serve(`/openapi/${variant}.json`, variant)
  return routes
}
