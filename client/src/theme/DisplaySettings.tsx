import { Button, Checkbox, Modal, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { SecondaryButton } from '../components/display/buttons.tsx'
import classes from './DisplaySettings.module.css'
import { chooseDisplay, useDisplayChoice, useThemeConfig } from './display-choice.ts'
import { type FeatureFlag, featureFlags } from './theme-config.ts'

const words: Record<FeatureFlag, { label: string; description: string }> = {
  studentPortal: { label: 'Student portal', description: 'Shows “Student portal” in the navigation bar.' },
  mobileOptimizations: {
    label: 'Mobile layout',
    description: 'Taller buttons and fields that do not zoom on small screens.',
  },
  compactLists: { label: 'Compact lists', description: 'Fits more rows on the screen.' },
  stripedTables: { label: 'Striped tables', description: 'Shades every other row.' },
  largeText: { label: 'Large text', description: 'Makes all text larger.' },
  readableSpacing: { label: 'Readable spacing', description: 'More space between letters, words and lines.' },
  underlinedLinks: { label: 'Underlined links', description: 'Underlines links as well as coloring them.' },
  wideLayout: { label: 'Wide pages', description: 'Lets tables use the full width of large screens.' },
  roleAccents: { label: 'Color by role', description: 'Shows your role by color at the edge of the navigation bar.' },
}

export function DisplaySettings({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choice = useDisplayChoice()
  const { flags } = useThemeConfig()
  return (
    <Modal opened={opened} onClose={onClose} title="Display settings" size="lg">
      <p className={classes.lead}>Saved on this device. Changes take effect immediately.</p>
      <div className={classes.choice}>
        <span id="display-scheme">Light or dark</span>
        <SegmentedControl
          aria-labelledby="display-scheme"
          value={colorScheme}
          onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
          data={[
            { value: 'auto', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
      <div className={classes.choice}>
        <span id="display-contrast">Contrast</span>
        <SegmentedControl
          aria-labelledby="display-contrast"
          value={choice.contrast}
          onChange={(value) => chooseDisplay({ contrast: value === 'normal' || value === 'high' ? value : 'system' })}
          data={[
            { value: 'system', label: 'System' },
            { value: 'normal', label: 'Normal' },
            { value: 'high', label: 'High' },
          ]}
        />
      </div>
      <fieldset className={classes.flags}>
        <legend>Options</legend>
        {featureFlags.map((flag) => (
          <Checkbox
            key={flag}
            label={words[flag].label}
            description={words[flag].description}
            checked={flags[flag]}
            onChange={(event) => chooseDisplay({ flags: { ...choice.flags, [flag]: event.currentTarget.checked } })}
          />
        ))}
      </fieldset>
      <div className={classes.end}>
        <SecondaryButton
          onClick={() => {
            setColorScheme('auto')
            chooseDisplay({ contrast: 'system', flags: {} })
          }}
        >
          Reset to defaults
        </SecondaryButton>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Modal>
  )
}
