// Downloads of a file in other formats, with the options of its format.

import { requestUrl } from '../api/request';
import type { Asset, FormatOption } from '../api/types';
import { loadNames } from '../state/names';
import { acceptsFile, matchingFiles } from '../state/option-files';
import { choices, choose } from '../state/options';
import { visible } from '../text/visible';
import { Icon } from '../ui/icon';
import { Download } from './download';

export function Outputs({ asset }: { asset: Asset }) {
  const chosen = choices.value;
  const base = asset.name.replace(/\.[^.]*$/, '');
  const set = asset.options.filter(option => option.name in chosen).length;
  return (
    <>
      {asset.outputs.length > 0 && (
        <ul class="actions">
          {asset.outputs.map(output => (
            <li key={output.extension}>
              <Download
                url={requestUrl('output', asset.path, { as: output.extension, ...chosen })}
                name={`${base}.${output.extension}`}
                title={visible(output.about)}
              >
                <Icon name="download" />
                <span class="mono">.{output.extension}</span>
                <span class="faint ellipsis">{visible(output.about)}</span>
              </Download>
            </li>
          ))}
        </ul>
      )}
      {asset.options.length > 0 && (
        <details class="options" open={set > 0}>
          <summary>Options{set > 0 ? ` (${set} set)` : ''}</summary>
          {asset.options.map(option => (
            <Option
              key={option.name}
              option={option}
              value={chosen[option.name] ?? ''}
              preset={presetOf(option, chosen.preset)}
              onChange={value => choose(option.name, value)}
            />
          ))}
        </details>
      )}
    </>
  );
}

/** The default of an option in the chosen preset, if any. */
function presetOf(option: FormatOption, engine: string | undefined): string | null {
  return option.presets?.find(([known]) => known === engine)?.[1] ?? null;
}

interface OptionProps {
  option: FormatOption;
  value: string;
  /** The default set by the chosen preset. */
  preset: string | null;
  onChange(value: string): void;
}

function Option({ option, value, preset, onChange }: OptionProps) {
  const id = `option-${option.name}`;
  return (
    <div class="option">
      {option.value === 'flag' ? (
        <label class="check">
          <input
            type="checkbox"
            checked={(value || (preset ?? '')) === 'true'}
            aria-describedby={`${id}-about`}
            onChange={event => onChange(event.currentTarget.checked ? 'true' : preset === 'true' ? 'false' : '')}
          />
          <span class="mono">{option.name}</span>
        </label>
      ) : (
        <>
          <label class="mono" for={id}>
            {option.name}
          </label>
          <Control id={id} option={option} value={option.value} chosen={value} preset={preset} onChange={onChange} />
        </>
      )}
      <p id={`${id}-about`} class="faint">
        {visible(option.about)}
        {preset !== null && value === '' && <span class="option-preset"> Preset default: {visible(preset)}.</span>}
      </p>
    </div>
  );
}

interface ControlProps {
  id: string;
  option: FormatOption;
  value: Exclude<FormatOption['value'], 'flag'>;
  chosen: string;
  preset: string | null;
  onChange(value: string): void;
}

function Control({ id, option, value, chosen, preset, onChange }: ControlProps) {
  if ('choice' in value) {
    const { values } = value.choice;
    const defaultValue = preset ?? value.choice.default;
    return (
      <select
        id={id}
        class="select"
        value={chosen || (defaultValue ?? '')}
        onChange={event => onChange(event.currentTarget.value === defaultValue ? '' : event.currentTarget.value)}
      >
        {values.map(([word, about]) => (
          <option key={word} value={word} title={about}>
            {word}
          </option>
        ))}
      </select>
    );
  }
  if ('words' in value) {
    const chosenWords = (chosen || (preset ?? '')).split(',').filter(word => word !== '');
    return (
      <div class="words" role="group" aria-labelledby={id} id={id}>
        {value.words.values.map(([word, about]) => (
          <label key={word} class="check" title={about}>
            <input
              type="checkbox"
              checked={chosenWords.includes(word)}
              onChange={event =>
                onChange(
                  (event.currentTarget.checked
                    ? [...chosenWords, word]
                    : chosenWords.filter(other => other !== word)
                  ).join(','),
                )
              }
            />
            <span class="mono">{word}</span>
          </label>
        ))}
      </div>
    );
  }
  if ('number' in value) {
    const { least, most } = value.number;
    const defaultValue = preset ?? value.number.default;
    return (
      <input
        id={id}
        class="input"
        type="number"
        step="any"
        min={least}
        max={most}
        placeholder={String(defaultValue)}
        value={chosen}
        onChange={event => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextControl
      id={id}
      placeholder={preset ?? value.text.placeholder}
      about={option.about}
      isFile={acceptsFile(option)}
      chosen={chosen}
      onChange={onChange}
    />
  );
}

/** Maximum number of suggested files. */
const MAX_SUGGESTED = 200;

interface TextControlProps {
  id: string;
  placeholder: string;
  about: string;
  isFile: boolean;
  chosen: string;
  onChange(value: string): void;
}

/** A text input. For a file option it suggests files with the extensions named in the option's description. */
function TextControl({ id, placeholder, about, isFile, chosen, onChange }: TextControlProps) {
  const files = isFile ? matchingFiles(about, 'all') : [];
  return (
    <>
      <input
        id={id}
        class="input"
        type="text"
        list={isFile ? `${id}-files` : undefined}
        placeholder={placeholder}
        value={chosen}
        onFocus={() => isFile && void loadNames()}
        onChange={event => onChange(event.currentTarget.value)}
      />
      {isFile && (
        <datalist id={`${id}-files`}>
          {files.slice(0, MAX_SUGGESTED).map(file => (
            <option key={file} value={file} />
          ))}
        </datalist>
      )}
    </>
  );
}
