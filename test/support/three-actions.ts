import type { Locator, Page } from 'playwright-core';

/** The hands of somebody at a page: what they click, type and press is counted, and there is an end to it. */
export interface Hands {
  click(what: Locator): Promise<void>;
  /** Opens a list of choices and takes one: two actions, as with a mouse. */
  choose(what: Locator, choice: string): Promise<void>;
  /** Types into what has the focus; whoever wants another field clicks it first. */
  type(text: string): Promise<void>;
  key(name: string): Promise<void>;
  /** Chooses a file in the dialog of the browser, which is one action. */
  pick(what: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
  /** What was done so far. */
  readonly done: readonly string[];
}

/** Rejects the first action past `most`, before it is done. */
export function createHands(page: Page, most = 3): Hands {
  const done: string[] = [];
  const act = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    if (done.length >= most) throw new Error(`one action too many: ${what}, after ${done.join(', ')}`);
    done.push(what);
    await work();
  };
  return {
    done,
    click: (what) => act(`click ${String(what)}`, () => what.click()),
    async choose(what, choice) {
      await act(`open ${String(what)}`, () => what.waitFor());
      await act(`choose ${choice}`, () => what.selectOption(choice));
    },
    type: (text) => act(`type ${text}`, () => page.keyboard.type(text)),
    pick: (what, file) => act(`pick ${file.name}`, () => what.setInputFiles(file)),
    key: (name) => act(`press ${name}`, () => page.keyboard.press(name)),
  };
}
