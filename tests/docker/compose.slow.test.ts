import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const folder = new URL('../../docker/', import.meta.url)
const source = readFileSync(new URL('compose.yaml', folder), 'utf8')

const Service = z.object({
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  privileged: z.boolean().default(false),
  read_only: z.boolean().default(false),
  user: z.string().optional(),
  environment: z.record(z.string(), z.string()),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
})
const { services, networks } = z
  .object({
    services: z.record(z.string(), Service),
    networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
  })
  .parse(parse(source, { merge: true }))
const service = (name: string) => {
  const found = services[name]
  if (!found) throw new Error(`no service ${name}`)
  return found
}

describe('the compose file', () => {
  it.each(Object.keys(services))('takes every right from %s', (name) => {
    const { cap_drop, cap_add, security_opt, privileged } = service(name)
    expect({ cap_drop, cap_add, security_opt, privileged }).toEqual({
      cap_drop: ['ALL'],
      cap_add: [],
      security_opt: ['no-new-privileges:true'],
      privileged: false,
    })
  })

  it('runs nothing as root, and Assay with nothing to write but its data', () => {
    expect(service('mongodb').user).toBe('mongodb')
    expect(readFileSync(new URL('Dockerfile', folder), 'utf8')).toMatch(/^USER node$/m)
    for (const name of ['assay', 'gateway']) expect(service(name).read_only).toBe(true)
  })

  it('lets only Assay reach MongoDB, on a network without a way out', () => {
    expect(service('mongodb').networks).toEqual(['database'])
    expect(service('mongodb').ports).toEqual([])
    expect(networks.database?.internal).toBe(true)
    const near = Object.keys(services).filter((name) => service(name).networks.includes('database'))
    expect(near.sort()).toEqual(['assay', 'mongodb'])
  })

  it('refuses to start without passwords, and gives Assay an account that is not root', () => {
    expect(service('assay').environment.MONGODB_URL).toMatch(
      /^mongodb:\/\/assay:\$\{MONGODB_PASSWORD:\?.+\}@mongodb:27017\/assay\?authSource=assay$/,
    )
    expect(service('mongodb').environment.MONGO_INITDB_ROOT_PASSWORD).toMatch(/^\$\{MONGODB_ROOT_PASSWORD:\?.+\}$/)
    expect(JSON.stringify(services.assay)).not.toContain('ROOT_PASSWORD')
    const [, script] = /^(\.\/mongodb\/\S+):\/docker-entrypoint-initdb\.d\//.exec(
      service('mongodb').volumes.find((volume) => volume.includes('initdb')) ?? '',
    ) ?? ['', '']
    expect(readFileSync(new URL(script ?? '', folder), 'utf8')).toContain("role: 'readWrite', db: 'assay'")
  })

  it('is reached from this machine alone', () => {
    for (const { ports } of Object.values(services)) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })
})
