// Starts `antiquary script lsp` for scripts and settings files, and registers the debugger of scripts.

import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';

import { register } from './debug';

let client: LanguageClient | undefined;

/** The settings passed to the language server. */
function settings(): Record<string, string> {
  const all = vscode.workspace.getConfiguration('antiquary');
  const text = (name: string): string => all.get<string>(name, '');
  return { game: text('game'), map: text('map'), def: text('def') };
}

async function start(): Promise<void> {
  const command = vscode.workspace.getConfiguration('antiquary').get<string>('path', 'antiquary');
  const server: ServerOptions = { command, args: ['script', 'lsp'] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: 'soup' }, { language: 'redguard-ini' }],
    initializationOptions: settings(),
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher('**/{antiquary.json,record.json,*.soup,*.RGM,*.rgm}'),
    },
  };
  client = new LanguageClient('antiquary', 'Antiquary', server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const pick = 'Open settings';
    const message = `Antiquary: cannot start "${command} script lsp": ${String(error)}`;
    if ((await vscode.window.showErrorMessage(message, pick)) === pick) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'antiquary.path');
    }
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const restart = async (): Promise<void> => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    ...register(),
    vscode.commands.registerCommand('antiquary.restart', restart),
    vscode.workspace.onDidChangeConfiguration(async change => {
      if (change.affectsConfiguration('antiquary.path')) {
        await restart();
      } else if (change.affectsConfiguration('antiquary')) {
        await client?.sendNotification('workspace/didChangeConfiguration', { settings: { antiquary: settings() } });
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
