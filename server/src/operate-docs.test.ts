import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { collectProcessMetrics, createMetrics } from './lib/metrics/metrics.ts'

const metrics = createMetrics()
collectProcessMetrics(metrics)
const exported = await metrics.registry.getMetricsAsJSON()
/** What Prometheus stores of histograms is three each. */
const names = exported.flatMap(({ name }) => ['', '_bucket', '_sum', '_count'].map((part) => name + part))

it.each(['README.md', 'alerts.yml', 'grafana-dashboard.json'])(
  'docs/operate/%s names only metrics that are exported',
  (file) => {
    const text = readFileSync(new URL(`../../docs/operate/${file}`, import.meta.url), 'utf8')
    const named = [...new Set(text.match(/\b(assay|nodejs|process)_\w+/g))]
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !names.includes(name))).toEqual([])
  },
)
