import { Elysia, type AnyElysia } from 'elysia'
import type { Config } from '../../config'
import { createOpenApiDocument, listVariants } from './document'
import { createStaticFile } from '../static-files'
import type { Variant } from '../../domain/variants'

/** Serves a description for the clients of each variant, generated from the routes of `app`; the first is B's. */
export function openApiRoutes(app: AnyElysia, config: Config) {
  const routes = new Elysia({ detail: { hide: true } })
  const serve = (path: string, variant: Variant) => {
    const file = createStaticFile('application/json', () =>
      JSON.stringify(createOpenApiDocument(app, config, variant)),
    )
    routes.get(path, ({ request }) => file.respond(request))
  }
  serve('/openapi.json', config.API_VARIANT === 'a' ? 'a' : 'b')
  for (const variant of listVariants(config)) serve(`/openapi/${variant}.json`, variant)
  return routes
}
