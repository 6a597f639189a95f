import { KeyedVersion, type Question, type Rubric } from '@assay/shared/rubrics.ts'
import { answerLabelsOf, hasCircles } from '@assay/shared/rules/sheet-options.ts'
import { NativeSelect } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { TableHead } from '../../../components/layout/DataTable.tsx'
import { plural } from '../../../lib/format.ts'
import { useRowFocus } from '../../../lib/hooks/useRowFocus.ts'
import classes from './PaperVersionsModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  rubric: Rubric
  change: (rubric: Rubric) => void
}

export function PaperVersionsModal({ opened, close, rubric, change }: Props) {
  const [keys, setKeys] = useState<VersionKeys>({})
  const [versions, setVersions] = useState<KeyedVersion[]>([])
  const [wasOpened, setWasOpened] = useState(false)
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) start()
  }

  function start() {
    const stored = versionKeysOf(rubric)
    const known = versionsIn(stored)
    setKeys(stored)
    setVersions(known.length > 0 ? known : KeyedVersion.options.slice(0, 1))
  }

  const rows = versionedQuestions(rubric)
  const { root, focusNext } = useRowFocus<HTMLDivElement>()
  const added = KeyedVersion.options.find((version) => !versions.includes(version))
  const last = versions.at(-1)
  const missing = rows.flatMap(({ question }) => versions.filter((version) => !keys[question.id]?.[version])).length
  const set = (id: string, version: KeyedVersion, key: string) =>
    setKeys((now) => ({ ...now, [id]: { ...now[id], [version]: key } }))

  function add(version: KeyedVersion) {
    focusNext(`${rows[0]?.question.id} ${version}`)
    setVersions(KeyedVersion.options.filter((one) => one === version || versions.includes(one)))
  }

  function remove(version: KeyedVersion) {
    focusNext('remove-version', 'add-version')
    setVersions(versions.filter((one) => one !== version))
    setKeys((now) => Object.fromEntries(Object.entries(now).map(([id, own]) => [id, { ...own, [version]: '' }])))
  }

  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title="Paper versions"
      confirmLabel="Apply"
      onConfirm={async () => change(withVersionKeys(rubric, keys, versions))}
    >
      <p className={classes.about}>
        For papers that print the options in several orders. The rubric is version A; choose what is right in the
        others. Answer sheets printed afterwards have circles for the version.
      </p>
      <div ref={root}>
        <div className={classes.frame}>
          <table className={classes.table}>
            <caption className="visually-hidden">The right option of each question, by version</caption>
            <TableHead columns={['No.', 'A', ...versions]} />
            <tbody>
              {rows.map(({ question, labels }) => (
                <tr key={question.id}>
                  <th scope="row">{question.number}</th>
                  <td className={classes.key}>{question.criteria.map(({ expected }) => expected).join(', ') || '–'}</td>
                  {versions.map((version) => {
                    const key = keys[question.id]?.[version] ?? ''
                    const gone = key !== '' && !labels.includes(key)
                    return (
                      <td key={version}>
                        <NativeSelect
                          aria-label={`Question ${question.number}, version ${version}`}
                          className={classes.select}
                          data-focus={`${question.id} ${version}`}
                          data={[{ value: '', label: '–' }, ...labels, ...(gone ? [key] : [])]}
                          value={key}
                          error={gone}
                          onChange={({ currentTarget }) => set(question.id, version, currentTarget.value)}
                        />
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className={classes.foot}>
          {added && (
            <SecondaryButton
              leftSection={<IconPlus size={16} aria-hidden />}
              data-focus="add-version"
              onClick={() => add(added)}
            >
              Add version {added}
            </SecondaryButton>
          )}
          {last && (
            <SubtleButton data-focus="remove-version" onClick={() => remove(last)}>
              Remove version {last}
            </SubtleButton>
          )}
        </div>
      </div>
      <p role="status" className={classes.about}>
        {missing > 0 &&
          `${plural(missing, 'key')} not chosen yet. Without one, answers of that version are left for you to grade.`}
      </p>
    </ConfirmModal>
  )
}

/** The other versions' right answers, by question; '' where nobody has said. */
export type VersionKeys = Record<string, Partial<Record<KeyedVersion, string>>>

export const versionedQuestions = ({ questions }: Rubric): { question: Question; labels: string[] }[] =>
  questions.filter(hasCircles).map((question) => ({ question, labels: answerLabelsOf(question) }))

export const versionKeysOf = ({ questions }: Rubric): VersionKeys =>
  Object.fromEntries(questions.map(({ id, version_keys = {} }) => [id, version_keys]))

export const versionsIn = (keys: VersionKeys): KeyedVersion[] =>
  KeyedVersion.options.filter((version) => Object.values(keys).some((own) => own[version]))

export function withVersionKeys(rubric: Rubric, keys: VersionKeys, versions: readonly KeyedVersion[]): Rubric {
  const asked = new Set(versionedQuestions(rubric).map(({ question }) => question.id))
  const questions = rubric.questions.map(({ version_keys: _, ...question }) => {
    const own = Object.fromEntries(
      versions.flatMap((version) => {
        const key = keys[question.id]?.[version]
        return key && asked.has(question.id) ? [[version, key]] : []
      }),
    )
    return Object.keys(own).length > 0 ? { ...question, version_keys: own } : question
  })
  return { ...rubric, questions }
}
