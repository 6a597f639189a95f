import type { RunningServer } from '../start.ts'

export const METRICS_TOKEN = 'what-prometheus-sends-to-read-metrics'

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

export async function scrape({ running }: { readonly running: Pick<RunningServer, 'url'> }) {
  const reply = await fetch(`${running.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  if (reply.status !== 200) throw new Error(`not scraped: ${reply.status}`)
  const samples = (await reply.text()).split('\n').flatMap((line): Sample[] => {
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text])
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
  return {
    samples,
    /** 0 where there are none. */
    sum: (name: string, labels: Record<string, string> = {}) =>
      samples
        .filter(
          (one) => one.name === name && Object.entries(labels).every(([label, text]) => one.labels[label] === text),
        )
        .reduce((sum, { value }) => sum + value, 0),
  }
}
