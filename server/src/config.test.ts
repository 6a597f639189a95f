import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'assay-config-'))

describe('the settings', () => {
  it('work without any, on this machine alone, with a demo and a secret stored for next time', () => {
    const first = readConfig({ DATA_DIR })
    expect(first).toMatchObject({ port: 3000, host: '127.0.0.1', demo: true })
    expect(first.settings.instructor_registration).toBe('open')
    expect(first.secretKey.length).toBeGreaterThanOrEqual(32)
    expect(readConfig({ DATA_DIR }).secretKey).toBe(first.secretKey)
    expect(statSync(join(DATA_DIR, 'secret-key')).mode & 0o777).toBe(0o600)
  })

  it('replace the stored secret when a power cut left it empty or short', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-config-'))
    for (const left of ['', '\n', 'abc']) {
      writeFileSync(join(folder, 'secret-key'), left)
      const { secretKey } = readConfig({ DATA_DIR: folder })
      expect(secretKey).toMatch(/^[0-9a-f]{64}$/)
      expect(readConfig({ DATA_DIR: folder }).secretKey).toBe(secretKey)
    }
    expect(readdirSync(folder)).toEqual(['secret-key'])
  })

  it('name what a process beside others needs', () => {
    const url = 'mongodb://127.0.0.1/assay'
    expect(() => readConfig({ ROLE: 'web' })).toThrow(/MONGODB_URL: required for a web;[\s\S]*FILES_URL: required/)
    expect(() => readConfig({ ROLE: 'worker', DATA_DIR })).toThrow(/MONGODB_URL: required for a worker/)
    expect(() => readConfig({ ROLE: 'worker', MONGODB_URL: url })).toThrow(/FILES_URL: required for a worker/)
    expect(readConfig({ ROLE: 'worker', DATA_DIR, MONGODB_URL: url })).toMatchObject({ role: 'worker', demo: false })
    expect(readConfig({ ROLE: 'web', DATA_DIR, MONGODB_URL: url }).role).toBe('web')
  })

  it('list every mistake at once', () => {
    const read = () =>
      readConfig({
        DATA_DIR,
        PORT: 'eighty',
        GRADING_CONCURRENCY: '0',
        MONGODB_URL: 'mysql://x',
        NODE_ENV: 'production',
      })
    expect(read).toThrow(/PORT:[\s\S]*MONGODB_URL:[\s\S]*GRADING_CONCURRENCY:[\s\S]*SECRET_KEY:/)
  })

  it('name a Redis by an address that its client understands, and no mistake tells the password', () => {
    const read = (REDIS_URL: string) => readConfig({ DATA_DIR, REDIS_URL }).redisUrl
    expect(read('')).toBeNull()
    expect(read('rediss://:secret@redis.school.example:6380/2')).toMatch(/^rediss:/)
    const mistake = () => read('redis:/:secret@redis.school.example')
    expect(mistake).toThrow(/REDIS_URL: must be redis:/)
    expect(mistake).not.toThrow(/secret/)
  })

  it('name a model only whole: with what its provider needs, and a price for both ways', () => {
    const read = (env: Record<string, string>) => readConfig({ DATA_DIR, ...env }).llm
    expect(read({}).provider).toBeNull()
    expect(() => read({ AI_API_KEY: 'sk-1' })).toThrow(/AI_PROVIDER:/)
    expect(() => read({ AI_PROVIDER: 'openai-compatible' })).toThrow(/AI_MODEL:[\s\S]*AI_BASE_URL:/)
    expect(() => read({ AI_PROVIDER: 'anthropic', AI_MODEL: 'x' })).toThrow(/AI_API_KEY:/)
    expect(() => read({ AI_PRICE_INPUT: '1' })).toThrow(/AI_PRICE_OUTPUT/)
    const local = { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'x', AI_BASE_URL: 'http://127.0.0.1:11434/v1' }
    expect(read({ ...local, AI_PRICE_INPUT: '0', AI_PRICE_OUTPUT: '0', AI_MONTHLY_BUDGET: '5' })).toMatchObject({
      provider: { provider: 'openai-compatible', apiKey: null },
      otherSettings: { price: { input: 0, output: 0 }, monthly_budget: 5 },
    })
  })

  it.each([
    ['a name and a password', 'https://ada:hush-hush@models.example/v1'],
    ['a key in its query', 'https://models.example/v1?key=hush-hush'],
    ['something behind a “#”', 'https://models.example/v1#hush-hush'],
  ])('refuse a model’s address with %s, and do not repeat it', (_, AI_BASE_URL) => {
    const env = { DATA_DIR, AI_PROVIDER: 'openai-compatible', AI_MODEL: 'x', AI_BASE_URL }
    expect(() => readConfig(env)).toThrow(/AI_BASE_URL: must be a plain URL.*AI_API_KEY/)
    expect(() => readConfig(env)).not.toThrow(/hush/)
  })

  it('offer no demo and no open registration to the world', () => {
    const SECRET_KEY = 'x'.repeat(32)
    const reachable = [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://assay.school.example' },
      { HOST: '0.0.0.0', DEMO: 'on' },
    ]
    for (const settings of reachable) {
      const config = readConfig({ DATA_DIR, SECRET_KEY, ...settings })
      expect(config).toMatchObject({ demo: false, settings: { instructor_registration: 'approval' } })
    }
    expect(readConfig({ DATA_DIR, SECRET_KEY, NODE_ENV: 'production', DEMO: 'on' }).demo).toBe(false)
  })

  it('take an empty variable for none', () => {
    expect(readConfig({ DATA_DIR, MONGODB_URL: '', PORT: '' })).toMatchObject({ mongodbUrl: null, port: 3000 })
  })
})

describe('FILES_URL', () => {
  const env = { DATA_DIR, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  const location = (url: string) => readConfig({ ...env, FILES_URL: url }).filesLocation

  it('says where papers are, with AWS’s own addresses or those of another store', () => {
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
    expect(readConfig(env).filesLocation).toBeNull()
    expect(location('s3://papers?region=eu-north-1')).toEqual({
      ...{ bucket: 'papers', prefix: '', endpoint: null, region: 'eu-north-1', pathStyle: false, credentials },
    })
    expect(location('s3://papers/our/school/?endpoint=https://s3.school.example:9000')).toEqual({
      ...{ bucket: 'papers', prefix: 'our/school/', endpoint: 'https://s3.school.example:9000' },
      ...{ region: 'us-east-1', pathStyle: true, credentials },
    })
    expect(location('s3://papers?endpoint=https://s3.school.example&path_style=off')?.pathStyle).toBe(false)
  })

  it.each([
    ['https://papers', 'must be like s3://'],
    ['s3://', 'must be like s3://'],
    ['s3://id:secret@papers', 'must not have keys in it'],
    ['s3://papers:9000', 'as endpoint='],
    ['s3://papers?enpoint=http://x', 'does not know “enpoint”'],
    ['s3://papers?endpoint=x', 'endpoint must begin with http'],
    ['s3://papers?path_style=yes', 'on or off'],
  ])('is refused as %s', (url, reason) => {
    const read = () => location(url)
    expect(read).toThrow(`FILES_URL: `)
    expect(read).toThrow(reason)
    expect(read).not.toThrow('secret@')
  })
})
