import { readFileSync } from 'node:fs'
import { contract } from '@assay/shared/contract.ts'
import type { RequestHandler } from 'express'
import { createOpenApiDocument } from '../lib/openapi/openapi-document.ts'
import { hashOf } from '../lib/security/hash-of.ts'
import { version } from '../lib/version.ts'
import { renderApi } from './render-api.ts'
import { tagDescriptions } from './tag-descriptions.ts'

const style = readFileSync(new URL('./api-docs.css', import.meta.url), 'utf8')

/** The page runs nothing and loads nothing: this one style sheet is all it may use. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hashOf(style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The contract as a page, built on the first request and cached. */
export function serveApiDocs(): RequestHandler {
  let page: string | undefined
  return (_request, response) => {
    page ??= renderApi(createOpenApiDocument(contract, version, tagDescriptions), style)
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }).type('html').send(page)
  }
}
