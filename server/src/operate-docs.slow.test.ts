import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { thresholds } from './features/admin/attention.ts'
import { LOW_DISK_BYTES } from './features/admin/check-health.ts'
import { collectProcessMetrics, createMetrics } from './lib/metrics/metrics.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/operate/${name}`, import.meta.url), 'utf8')

const Alerts = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.object({ summary: z.string() }),
        }),
      ),
    }),
  ),
})
const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() })),
})

const Instrument = z.object({ name: z.string(), labelNames: z.array(z.string()) })

const rules = Alerts.parse(parse(read('alerts.yml'))).groups.flatMap((group) => group.rules)
const panels = Dashboard.parse(JSON.parse(read('grafana-dashboard.json'))).panels
const queries = [
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr }))),
]

const metrics = createMetrics()
collectProcessMetrics(metrics)
const exported = await metrics.registry.getMetricsAsJSON()
/** What Prometheus stores of them: histograms are three each. */
const stored = exported.flatMap(({ name, type }) =>
  String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
)
const labelsOf = new Map(
  Object.values(metrics).flatMap((one) => {
    const { data } = Instrument.safeParse(one)
    return data ? [[data.name, data.labelNames] as const] : []
  }),
)

/** Metrics that a query names; `up` is Prometheus's own. */
const metricsIn = (expr: string) => expr.match(/\b(assay|nodejs|process)_\w+/g) ?? []

it('alerts and dashboard ask only for metrics that the server exports', () => {
  expect(queries.length).toBeGreaterThan(50)
  const unknown = queries.flatMap(({ of, expr }) =>
    metricsIn(expr)
      .filter((name) => !stored.includes(name))
      .map((name) => `${of}: ${name}`),
  )
  expect(unknown).toEqual([])
  for (const { of, expr } of queries) if (!/\bup\b/.test(expr)) expect(metricsIn(expr), of).not.toEqual([])
})

it('they choose by labels that those metrics have', () => {
  const selectors = queries.flatMap(({ of, expr }) =>
    [...expr.matchAll(/\b(assay_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', inside = '']) => {
      const known = labelsOf.get(name) ?? labelsOf.get(name.replace(/_(bucket|sum|count)$/, '')) ?? []
      return [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
        .filter(([, label = '']) => !known.includes(label))
        .map(([, label]) => `${of}: ${name} has no ${label}`)
    }),
  )
  expect(labelsOf.size).toBeGreaterThan(20)
  expect(selectors).toEqual([])
})

it('the text explains every metric of ours and every alert, and no other', () => {
  const text = read('README.md')
  const ours = exported.map(({ name }) => name).filter((name) => name.startsWith('assay_'))
  expect([...new Set(text.match(/\bassay_\w+/g))].sort()).toEqual(ours.sort())
  expect([...new Set(text.match(/\bAssay[A-Z]\w+/g))].sort()).toEqual(rules.map(({ alert }) => alert).sort())
})

it('the dashboard of administrators calls for attention where the alerts do', () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr ?? ''
  const { jobWaitSeconds, mailWaitSeconds, refusedLaunchShare, refusedLaunches } = thresholds
  expect(exprOf('AssayJobsWait')).toMatch(new RegExp(`> ${jobWaitSeconds}$`))
  expect(exprOf('AssayMailWaits')).toMatch(new RegExp(`> ${mailWaitSeconds}$`))
  expect(exprOf('AssayLaunchesRefused')).toContain(`> ${refusedLaunchShare}\n`)
  expect(exprOf('AssayLaunchesRefused').trim()).toMatch(new RegExp(`> ${refusedLaunches}$`))
  expect(exprOf('AssayDiskLow')).toContain(`< ${LOW_DISK_BYTES / 1e9}e9`)
})
