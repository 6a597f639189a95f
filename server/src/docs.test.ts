import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { collectProcessMetrics, createMetrics } from './lib/metrics/metrics.ts'

const root = new URL('../..', import.meta.url).pathname
const folders = ['client', 'docker', 'docs', 'lti-config', 'scripts', 'server', 'shared', 'tests']
const paths = globSync(['*', '.env.example', `{${folders}}/**`], { cwd: root, exclude: ['**/node_modules'] })
const read = (page: string) => readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '')

const metrics = createMetrics()
collectProcessMetrics(metrics)
const exported = await metrics.registry.getMetricsAsJSON()
/** Prometheus stores three for a histogram. */
const names = exported.flatMap(({ name }) => ['', '_bucket', '_sum', '_count'].map((part) => name + part))

it.each(['README.md', 'alerts.yml', 'grafana-dashboard.json'])('docs/operate/%s names only our metrics', (file) => {
  const named = [...new Set(read(`docs/operate/${file}`).match(/\b(assay|nodejs|process)_\w+/g))]
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !names.includes(name))).toEqual([])
})

/** In backticks, from the root or any folder. */
const PATH = new RegExp(`^(${folders.join('|')}|features|grader|lib|papers|records)/|^[^.].*\\.(tsx?|mjs|md)$`)
/** Made by the reader, kept by choice, and forbidden. */
const absent = ['server/src/features/courses/course-term.test.ts', 'tests/paper-fixtures', 'index.ts']
const tree = `/${paths.join('/\n/')}/`
const slug = (line: string) => line.replace(/^#+ |[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

function isDangling(page: string, [, link, name = '']: RegExpExecArray): boolean {
  if (!link) return PATH.test(name) && !absent.includes(name) && !tree.includes(`/${name}/`)
  const [file, heading] = link.split('#')
  const target = file ? join(dirname(page), file) : page
  if (!heading || !paths.includes(target)) return !paths.includes(target)
  return !read(target)
    .match(/^#+ .+$/gm)
    ?.some((it) => slug(it.toLowerCase()) === heading)
}

const IN_DOCS = /\]\((?!https?:)([^)\s]+)\)|`([\w@.-]+(?:\/[\w@.-]+)*)\/?`/g
const IN_CODE = /()(\bdocs\/[\w/-]+\.md)\b/g

it('docs, and comments on them, lead only to files and headings that exist', () => {
  for (const page of paths.filter((path) => /\.(md|tsx?|mjs)$/.test(path))) {
    const found = [...read(page).matchAll(page.endsWith('.md') ? IN_DOCS : IN_CODE)]
    expect.soft(found.filter((one) => isDangling(page, one)).map(String), page).toEqual([])
  }
})

it('comments have no line over 120 columns', () => {
  for (const page of paths.filter((path) => /\.(tsx?|mjs)$/.test(path))) {
    expect.soft(read(page).match(/^(?= *(?:\/\/|\/?\*)).{121,}$/gm) ?? [], page).toEqual([])
  }
})
