import { contract } from '@assay/shared/contract.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenApiDocument } from '../lib/openapi/openapi-document.ts'
import { useServer } from '../testing/server.ts'
import { schemaText, tagDescriptions } from './api-docs.ts'

const server = useServer()

it('shows every call of the contract, and may run or load nothing', async () => {
  const reply = await fetch(`${server.running.url}/api/docs`)
  const page = await reply.text()
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const { name } of contract) expect(page).toContain(`<details id="${name}">`)
  expect(page).not.toMatch(/<script|<link|src=|url\(|\son\w+=/)
  const policy = reply.headers.get('content-security-policy')
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(policy).not.toMatch(/unsafe|script-src/)
})

it('writes a schema as one writes a type', () => {
  const schema = z.object({
    name: z.string().max(200),
    role: z.enum(['student', 'admin']).optional(),
    papers: z.array(z.object({ size: z.number().nullable() })),
  })
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  expect(schemaText(json as Parameters<typeof schemaText>[0])).toBe(
    '{\n  name: string (at most 200 characters)\n  role?: "student" | "admin"\n  papers: {\n    size: number | null\n  }[]\n}',
  )
})

it('says of each call what it needs and how it fails, without a reference that leads nowhere', () => {
  const api = createOpenApiDocument(contract, '1.2.3', tagDescriptions)
  const text = JSON.stringify(api)
  for (const [, reference] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = (reference ?? '').split('/').reduce<unknown>((at, key) => Object(at)[key], api)
    expect([reference, found === undefined]).toEqual([reference, false])
  }
  const change = api.paths['/courses']?.post
  expect(change?.security).toEqual([{ bearer: [], csrf: [] }])
  expect(Object.keys(change?.responses ?? {})).toEqual(
    expect.arrayContaining(['201', '401', '403', '422', '429', 'default']),
  )
  const upload = api.paths['/assignments/create_with_files']?.post?.requestBody?.content['multipart/form-data']
  expect(upload?.schema?.properties?.blank_pdf).toMatchObject({ format: 'binary' })
})
