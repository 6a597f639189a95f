import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../server/src/config.ts'

const read = (name: string) => readFileSync(new URL(`../../docker/${name}`, import.meta.url), 'utf8')
const secret = 'a-secret-of-more-than-thirty-two-characters'

const Service = z.object({
  cap_add: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  privileged: z.boolean().default(false),
  read_only: z.boolean().default(false),
  security_opt: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
})
const Compose = z.object({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
})

/** As compose puts in what is in the file of secrets; `$$` is a dollar. */
const filled = (text: string) =>
  text
    .replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) =>
      name === 'PUBLIC_URL' ? 'https://assay.school.example' : secret,
    )
    .replace(/\$\{\w+:-([^}]*)\}/g, (_, usual: string) => usual || '""')
const startsWith = (environment: Record<string, string>) =>
  readConfig({ ...environment, NODE_ENV: 'production', DATA_DIR: tmpdir() })

describe.each([
  ['compose.yaml', { assay: 'all' }, ['assay', 'gateway']],
  ['compose.many.yaml', { 'web-1': 'web', 'web-2': 'web', 'worker-1': 'worker', 'worker-2': 'worker' }, ['nginx']],
])('docker/%s', (file, roles, open) => {
  const { services, networks } = Compose.parse(parse(filled(read(file)), { merge: true }))

  it.each(Object.entries(roles))('gives %s settings that it starts with', (name, role) => {
    expect(startsWith(services[name]?.environment ?? {}).role).toBe(role)
  })

  it('lets no container gain a right, and Assay write nothing but its data', () => {
    for (const { cap_add, privileged, security_opt } of Object.values(services))
      expect({ cap_add, privileged, security_opt }).toEqual({
        cap_add: [],
        privileged: false,
        security_opt: ['no-new-privileges:true'],
      })
    for (const name of Object.keys(roles)) expect(services[name]?.read_only).toBe(true)
    expect(read('Dockerfile')).toMatch(/^USER node$/m)
  })

  it('takes every capability, opens ports of nothing but Assay, and keeps databases on a network without a way out', () => {
    for (const { cap_drop } of Object.values(services)) expect(cap_drop).toEqual(['ALL'])
    expect(Object.keys(services).filter((name) => (services[name]?.ports.length ?? 0) > 0)).toEqual(open)
    const engines = Object.keys(services).filter((name) => /^(mongodb|redis|store|bucket)/.test(name))
    for (const name of engines)
      for (const network of services[name]?.networks ?? []) expect(networks[network]?.internal).toBe(true)
  })

  it.runIf(file === 'compose.yaml')('is reached from this machine alone', () => {
    for (const { ports } of Object.values(services)) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  it('asks for secrets that the README names', () => {
    for (const [, name] of read(file).matchAll(/\$\{(\w+):\?/g)) expect(read('README.md')).toContain(`${name}=`)
  })
})

it('docker/kubernetes gives processes settings that they start with, and names only what is there', () => {
  const documents = parseAllDocuments(read('kubernetes/assay.yaml')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const ofKind = (kind: string) => documents.filter((one) => one.kind === kind)
  for (const { metadata, spec } of ofKind('Deployment')) {
    const { env } = spec.template.spec.containers[0]
    const own = Object.fromEntries(env.map((one: { name: string; value: string }) => [one.name, one.value]))
    const MONGODB_URL = 'mongodb://assay:x@mongodb/assay?replicaSet=assay'
    const secrets = { SECRET_KEY: secret, MONGODB_URL, REDIS_URL: 'redis://redis:6379' }
    expect(`assay-${startsWith({ ...ofKind('ConfigMap')[0].data, ...own, ...secrets }).role}`).toBe(metadata.name)
  }
  const services = ofKind('Service').map(({ metadata }) => metadata.name)
  for (const { http } of ofKind('Ingress')[0].spec.rules)
    for (const { backend } of http.paths) expect(services).toContain(backend.service.name)
})

it('docker/nginx is a configuration that nginx takes', () => {
  const place = mkdtempSync(join(tmpdir(), 'assay-nginx-'))
  try {
    mkdirSync(join(place, 'tls'))
    const made = spawnSync(
      'openssl',
      // biome-ignore format: as one would type it
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=assay', '-keyout', join(place, 'tls/privkey.pem'), '-out', join(place, 'tls/fullchain.pem')],
    )
    expect(made.status).toBe(0)
    const server = read('nginx/assay.conf.template')
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the image's own placeholder
      .replaceAll('${SERVER_NAME}', 'assay.school.example')
      .replaceAll('/etc/nginx/tls', join(place, 'tls'))
      .replace(/server web-\d:3000;/g, 'server 127.0.0.1:3000;')
      // Debian's nginx is older than this line.
      .replace(/^ *http2 on;$/m, '')
      .replace('listen 8443 ssl;', 'listen 8443 ssl http2;')
    const config = join(place, 'nginx.conf')
    writeFileSync(config, `pid ${place}/pid;\nevents {}\nhttp {\naccess_log off;\n${server}\n}\n`)
    const env = { PATH: `${process.env.PATH}:/usr/sbin` }
    const tested = spawnSync('nginx', ['-t', '-p', place, '-c', config], { env, encoding: 'utf8' })
    expect(tested.stderr).toContain('test is successful')
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
