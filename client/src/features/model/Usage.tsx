import type { ModelMonth, ModelSums } from '@assay/shared/model.ts'
import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { CardSkeletons } from '../../components/PageSkeleton.tsx'
import panel from '../../components/Panel.module.css'
import { Panel, PanelList } from '../../components/Panel.tsx'
import type { Loaded } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { Stats } from '../admin/Stats.tsx'
import classes from './Model.module.css'
import { budgetInWords, costInWords, monthInWords, purposeWords, sumsInWords } from './model-words.ts'

interface Used {
  month: string
  total: ModelSums
  by_purpose: (ModelSums & { purpose: string })[]
  months: { month: string }[]
}

interface Row extends ModelSums {
  key: string
  name: ReactNode
}

interface Props<T extends Used> {
  usage: Loaded<T>
  month: string | null
  choose: (month: string) => void
  /** This month's money, as a budget counts it. */
  budget: ModelMonth | null
  rows: (usage: T) => { title: string; rows: Row[] }[]
}

/** What was asked in a month, and what that cost. */
export function Usage<T extends Used>({ usage, month, choose, budget, rows }: Props<T>) {
  const { data, error } = usage
  const months = data
    ? [...new Set([data.month, ...data.months.map((one) => one.month)])].sort().reverse()
    : []
  return (
    <Panel
      title="Usage"
      actions={
        months.length > 1 && (
          <NativeSelect
            aria-label="Month"
            value={month ?? data?.month}
            data={months.map((value) => ({ value, label: monthInWords(value) }))}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )
      }
    >
      {body()}
    </Panel>
  )

  function body() {
    if (data)
      return <Told usage={data} budget={budget?.month === data.month ? budget : null} parts={rows(data)} />
    if (error) return <LoadFailed error={error} retry={usage.reload} />
    return <CardSkeletons count={3} height={92} label="Loading usage" />
  }
}

function Told({
  usage: { month, total, by_purpose },
  budget,
  parts,
}: {
  usage: Used
  budget: ModelMonth | null
  parts: { title: string; rows: Row[] }[]
}) {
  const note = budget && budgetInWords(budget, total)
  if (total.calls === 0) return <p className={panel.about}>No model was asked in {monthInWords(month)}.</p>
  return (
    <div className={classes.parts}>
      <Stats
        label={`Usage in ${monthInWords(month)}`}
        stats={[
          {
            label: `Spent in ${monthInWords(month)}`,
            value: costInWords(total),
            ...(note ? { note } : {}),
          },
          {
            label: 'Questions',
            value: formatCount(total.calls),
            note: total.failures === 0 ? 'all answered' : `${formatCount(total.failures)} without an answer`,
          },
          {
            label: 'Tokens',
            value: formatCount(total.input_tokens + total.output_tokens),
            note: `${formatCount(total.output_tokens)} of them written`,
          },
        ]}
      />
      {parts.map((part) => (
        <Rows key={part.title} {...part} />
      ))}
      <Rows
        title="By purpose"
        rows={by_purpose.map(({ purpose, ...sums }) => ({
          ...sums,
          key: purpose,
          name: purposeWords[purpose] ?? purpose,
        }))}
      />
    </div>
  )
}

function Rows({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className={classes.subtitle}>{title}</h3>
      <PanelList label={title}>
        {rows.map(({ key, name, ...sums }) => (
          <li key={key} className={classes.row}>
            <div className={classes.words}>
              <span className={classes.title}>{name}</span>
              <span className={classes.dim}>{sumsInWords(sums)}</span>
            </div>
            <span className={classes.cost}>{costInWords(sums)}</span>
          </li>
        ))}
      </PanelList>
    </div>
  )
}
