import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** What a browser may do with our pages. `publicUrl` with https turns on HSTS. */
export function securityHeaders(publicUrl: string): RequestHandler {
  const https = publicUrl.startsWith('https:')
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"], // pdf.js decodes some scans in WebAssembly.
        styleSrc: ["'self'", "'unsafe-inline'"], // Mantine writes its theme into a style element.
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  })
}
