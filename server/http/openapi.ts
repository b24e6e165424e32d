import { Elysia, type AnyElysia } from 'elysia'
import swaggerStyles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import swaggerBundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import type { Config } from '../config'
import { createOpenApiDocument, type OpenApiDocument } from './openapi-document'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Kiraya API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`
const SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: true,
})
`
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
}
const SCRIPT_HEADERS = { 'content-type': 'text/javascript; charset=utf-8' }

/** Serves `/openapi.json`, generated from the routes of `app`, and `/docs`, without external requests. */
export function openApiRoutes(app: AnyElysia, config: Config, publicUrl: () => string) {
  let document: OpenApiDocument | undefined

  return new Elysia({ detail: { hide: true } })
    .get('/openapi.json', () => {
      document ??= createOpenApiDocument(app, config, publicUrl())
      return Response.json(document)
    })
    .get('/docs', () => new Response(PAGE, { headers: PAGE_HEADERS }))
    .get('/docs/start.js', () => new Response(SCRIPT, { headers: SCRIPT_HEADERS }))
    .get('/docs/swagger-ui.css', () => new Response(Bun.file(swaggerStyles)))
    .get('/docs/swagger-ui-bundle.js', () => new Response(Bun.file(swaggerBundle)))
}
