import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPlatform } from '@assay/shared/lti/lti-platforms.ts'
import { registeredCustomParameters } from '../../server/src/features/lti/contexts/custom-parameters.ts'
import { createTestApi } from '../../server/src/testing/api.ts'
import type { Tool } from './data/lms-data.ts'
import type { FakeLms } from './fake-lms.ts'

export async function firstAdminPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'first-run.txt')
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const password = /^admin\s+(\S+)$/m.exec(text)?.[1]
    if (password) return password
    await wait(100)
  }
}

export async function registerWithProduct(lms: FakeLms, product: { url: string; dataDir: string }): Promise<Tool> {
  const tool = lms.registerTool({
    name: 'Assay',
    loginUrl: `${product.url}/lti/login`,
    launchUrl: `${product.url}/lti/launch`,
    jwksUrl: `${product.url}/lti/keys`,
    custom: registeredCustomParameters,
  })
  const password = await firstAdminPassword(product.dataDir)
  const admin = createTestApi({ running: product }).as({ id: 0, username: 'admin', password })
  const { status, text } = await admin.send(createPlatform, {
    body: {
      name: 'Northfield School',
      lms: lms.kind.name,
      issuer: lms.issuer,
      client_id: tool.clientId,
      auth_endpoint: lms.authorizationUrl,
      token_endpoint: lms.tokenUrl,
      jwks_url: lms.jwksUrl,
    },
  })
  if (status !== 201) throw new Error(`Assay did not take the LMS: ${text}`)
  return tool
}
