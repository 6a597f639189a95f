import type { GradeDistribution } from '@assay/shared/analytics.ts'
import { BarChart } from '@mantine/charts'
import { TableHead } from '../../components/layout/DataTable.tsx'
import '@mantine/charts/styles.layer.css'
import { VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Panel } from '../../components/layout/Page.tsx'
import { formatCount, plural } from '../../lib/format.ts'
import classes from './GradeDistributionPanel.module.css'

type Range = GradeDistribution['grade_ranges'][number]

export function GradeDistributionPanel({ distribution }: { distribution: GradeDistribution }) {
  const { total_grades, grade_ranges } = distribution
  return (
    <Panel title="Grade Distribution">
      {total_grades === 0 ? (
        <p className={classes.none}>No graded assignments yet.</p>
      ) : (
        <figure className={classes.figure}>
          <Bars ranges={grade_ranges} />
          <DistributionTable ranges={grade_ranges} />
          <figcaption className={classes.caption}>Total grades: {formatCount(total_grades)}</figcaption>
        </figure>
      )}
    </Panel>
  )
}

/** Hidden from screen readers: the table beside it has everything. */
function Bars({ ranges }: { ranges: Range[] }) {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  return (
    <div aria-hidden="true">
      <BarChart
        h={280}
        data={ranges}
        dataKey="range"
        series={[{ name: 'count', label: 'Number of Grades', color: 'var(--accent)' }]}
        xAxisLabel="Grade Ranges"
        yAxisLabel="Number of Grades"
        textColor="var(--text-dim)"
        gridColor="var(--line)"
        tickLine="none"
        maxBarWidth={48}
        accessibilityLayer={false}
        classNames={{ axisLabel: classes.axisLabel }}
        xAxisProps={{ interval: 0, ...(onPhone ? { tickFormatter: rangeStart } : {}) }}
        yAxisProps={{ allowDecimals: false, width: 64 }}
        barProps={{ isAnimationActive: false, radius: [3, 3, 0, 0] }}
        tooltipProps={{
          cursor: { fill: 'var(--hover)' },
          content: ({ label }) => <RangeTooltip range={ranges.find(({ range }) => range === label)} />,
        }}
      />
    </div>
  )
}

/** `70-79` as `70`: ten ranges do not fit on a phone. */
const rangeStart = (range: string) => range.split('-')[0] ?? range

function RangeTooltip({ range }: { range: Range | undefined }) {
  if (!range) return null
  return (
    <div className={classes.tooltip}>
      <span className={classes.range}>{range.range}</span>
      {rangeLabel(range)}
    </div>
  )
}

const rangeLabel = ({ count, percentage }: Range) => `${plural(count, 'grade')} (${percentage}%)`

function DistributionTable({ ranges }: { ranges: Range[] }) {
  return (
    <VisuallyHidden>
      <table>
        <caption>Number of grades in each range</caption>
        <TableHead columns={['Grade Ranges', 'Number of Grades']} />
        <tbody>
          {ranges.map((range) => (
            <tr key={range.range}>
              <th scope="row">{range.range}</th>
              <td>{rangeLabel(range)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
