import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../server/src/config.ts'

const folder = new URL('../../docker/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const secret = 'a-secret-of-more-than-thirty-two-characters'

describe('the compose file for many processes', () => {
  const source = read('compose.many.yaml')
  // As compose puts in what is in the file of secrets; `$$` is a dollar.
  const given = (name: string) => (name === 'PUBLIC_URL' ? 'https://assay.school.example' : secret)
  const filled = source.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => given(name)).replace(/\$\{\w+:-\}/g, '""')
  const { services, networks } = parse(filled, { merge: true })
  const names = Object.keys(services)

  it.each(names)('takes every right from %s, and limits its memory', (name) => {
    const { cap_drop, cap_add, security_opt, privileged, mem_limit, user } = services[name]
    expect({ cap_drop, cap_add, security_opt, privileged }).toEqual({
      cap_drop: ['ALL'],
      cap_add: undefined,
      security_opt: ['no-new-privileges:true'],
      privileged: undefined,
    })
    expect(mem_limit).toMatch(/^\d+[mg]$/)
    if (!/^(web|worker)-/.test(name)) expect(user).not.toMatch(/root|^0/)
  })

  it('has two webs and two workers with settings that they start with', () => {
    for (const [role, count] of [
      ['web', 2],
      ['worker', 2],
    ] as const) {
      const own = names.filter((name) => services[name].environment?.ROLE === role)
      expect(own).toHaveLength(count)
      for (const name of own) {
        const config = readConfig({ ...services[name].environment, NODE_ENV: 'production', DATA_DIR: tmpdir() })
        expect(config).toMatchObject({ role, trustProxy: 1 })
        expect(config.redisUrl).toMatch(/^redis:\/\/:.+@redis:6379$/)
        expect(services[name].read_only).toBe(true)
      }
    }
  })

  it('lets only nginx be reached from outside, and the engines not get out', () => {
    const open = names.filter((name) => services[name].ports)
    expect(open).toEqual(['nginx'])
    expect(services.nginx.networks).toEqual(['front'])
    expect(networks.engines).toEqual({ internal: true })
    const engines = names.filter((name) => /^(mongodb|redis|store|bucket)/.test(name))
    for (const name of engines) expect(services[name].networks).toEqual(['engines'])
    // MongoDB's root password is nobody's else.
    for (const name of names.filter((one) => !one.startsWith('mongodb')))
      expect(JSON.stringify(services[name])).not.toContain('ROOT')
  })

  it('asks for every secret', () => {
    const asked = [...source.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
    const readme = read('README.md')
    for (const name of new Set(asked)) expect(readme).toContain(`${name}=`)
  })
})

it('has a configuration that nginx takes', () => {
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

    // As an upgrade does, by the lines of the README.
    const shell =
      read('README.md')
        .match(/^(?:leave_out|ask_again)\(\).*$/gm)
        ?.join('\n') ?? ''
    const file = join(place, 'conf')
    writeFileSync(file, read('nginx/assay.conf.template'))
    const webs = (command: string) => {
      const own = shell.replaceAll('/etc/nginx/conf.d/default.conf', file).replaceAll('nginx -s reload', 'true')
      spawnSync('bash', ['-c', `compose() { shift 2; "$@"; }\n${own}\n${command}`])
      return readFileSync(file, 'utf8').match(/server web.*$/gm)
    }
    expect(webs('leave_out web-2')).toEqual(['server web-1:3000;', 'server web-2:3000 down;'])
    expect(webs('ask_again')).toEqual(['server web-1:3000;', 'server web-2:3000;'])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})

describe('the manifests for Kubernetes', () => {
  const documents = parseAllDocuments(read('kubernetes/assay.yaml')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const ofKind = (kind: string) => documents.filter((one) => one.kind === kind)

  it.each(['assay-web', 'assay-worker'])(
    'runs %s without rights, with probes and limits, and settings that it starts with',
    (name) => {
      const { spec } = ofKind('Deployment').find(({ metadata }) => metadata.name === name).spec.template
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(spec.automountServiceAccountToken).toBe(false)
      const [container] = spec.containers
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.livenessProbe.httpGet.path).toBe('/healthz')
      expect(container.readinessProbe.httpGet.path).toBe('/readyz')
      expect(container.startupProbe.httpGet.path).toBe('/healthz')
      expect(container.resources.limits.memory).toMatch(/Mi$/)
      const own = Object.fromEntries(container.env.map((one: { name: string; value: string }) => [one.name, one.value]))
      const secrets = {
        SECRET_KEY: secret,
        MONGODB_URL: 'mongodb://assay:x@mongodb/assay?replicaSet=assay',
        REDIS_URL: 'redis://redis:6379',
      }
      const config = readConfig({
        ...ofKind('ConfigMap')[0].data,
        ...own,
        ...secrets,
        NODE_ENV: 'production',
        DATA_DIR: tmpdir(),
      })
      expect(config.role).toBe(own.ROLE)
    },
  )

  it('scales workers alone, and names only what is there', () => {
    const [autoscaler] = ofKind('HorizontalPodAutoscaler')
    expect(autoscaler.spec.scaleTargetRef.name).toBe('assay-worker')
    const services = new Set(ofKind('Service').map(({ metadata }) => metadata.name))
    const [ingress] = ofKind('Ingress')
    for (const { http } of ingress.spec.rules)
      for (const { backend } of http.paths) expect(services).toContain(backend.service.name)
  })
})
