// Loads the meshes of a game file through the C interface. Works in Unity, .NET and Mono.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Antiquary
{
    /// <summary>An error of the library.</summary>
    public sealed class AntiquaryException : Exception
    {
        public readonly string Code;
        public readonly string Path;
        public readonly string File;
        public readonly ulong? Offset;

        internal AntiquaryException(Native.ErrorInfo info) : base(Native.Text(info.Text))
        {
            Code = Native.Text(info.Code);
            Path = Native.Text(info.Path);
            File = Native.Text(info.File);
            Offset = info.HasOffset != 0 ? info.Offset : (ulong?)null;
        }
    }

    /// <summary>Triangles with one material, in the axes of Unity: left-handed, Y up, in meters.</summary>
    public sealed class MeshPart
    {
        public string Name;
        /// <summary>3 numbers per vertex.</summary>
        public float[] Positions;
        /// <summary>3 numbers per vertex, or null.</summary>
        public float[] Normals;
        /// <summary>2 numbers per vertex, or null; (0, 0) is the bottom left corner of the image.</summary>
        public float[] Uvs;
        /// <summary>Three per triangle; front faces are clockwise.</summary>
        public int[] Indices;
    }

    /// <summary>Reads scenes.</summary>
    public static class SceneLoader
    {
        /// <summary>Opens a file and copies the triangles of all its meshes.</summary>
        public static List<MeshPart> LoadMeshes(string path, params string[] options)
        {
            Native.Handle file, scene, error;
            using (var text = new Native.Strings(options))
            {
                Native.Check(Native.antiquary_open(Native.Utf8(path), text.Pointers, out file, out error), error);
            }
            int status = Native.antiquary_file_scene(file, out scene, out error);
            Native.antiquary_file_free(file);
            Native.Check(status, error);
            try
            {
                return ReadMeshes(scene);
            }
            finally
            {
                Native.antiquary_scene_free(scene);
            }
        }

        static List<MeshPart> ReadMeshes(Native.Handle scene)
        {
            var parts = new List<MeshPart>();
            Native.SceneInfo info;
            Native.Handle error;
            Native.Check(Native.antiquary_scene_get(scene, out info, out error), error);
            for (ulong index = 0; index < (ulong)info.MeshCount; index++)
            {
                Native.Mesh mesh;
                Native.Check(Native.antiquary_scene_mesh(scene, (UIntPtr)index, out mesh, out error), error);
                for (ulong number = 0; number < (ulong)mesh.PrimitiveCount; number++)
                {
                    Native.Primitive primitive;
                    int status = Native.antiquary_scene_primitive(
                        scene, (UIntPtr)index, (UIntPtr)number, out primitive, out error);
                    Native.Check(status, error);
                    if (primitive.Topology == Native.TopologyTriangles)
                    {
                        parts.Add(Copy(Native.Text(mesh.Name), primitive));
                    }
                }
            }
            return parts;
        }

        /// <summary>
        /// Copies the arrays, which end with the scene, and converts the axes: X is negated, which reverses the triangles.
        /// </summary>
        static MeshPart Copy(string name, Native.Primitive primitive)
        {
            int count = checked((int)primitive.VertexCount);
            var part = new MeshPart
            {
                Name = name,
                Positions = Native.Floats(primitive.Positions, 3 * count),
                Normals = Native.Floats(primitive.Normals, 3 * count),
                Uvs = Native.Floats(primitive.Uvs0, 2 * count),
                Indices = new int[checked((int)primitive.IndexCount)],
            };
            if (part.Indices.Length > 0)
            {
                Marshal.Copy(primitive.Indices, part.Indices, 0, part.Indices.Length);
            }
            for (int vertex = 0; vertex < count; vertex++)
            {
                part.Positions[3 * vertex] *= -1;
                if (part.Normals != null)
                {
                    part.Normals[3 * vertex] *= -1;
                }
                if (part.Uvs != null)
                {
                    part.Uvs[2 * vertex + 1] = 1 - part.Uvs[2 * vertex + 1];
                }
            }
            for (int corner = 0; corner + 2 < part.Indices.Length; corner += 3)
            {
                int second = part.Indices[corner + 1];
                part.Indices[corner + 1] = part.Indices[corner + 2];
                part.Indices[corner + 2] = second;
            }
            return part;
        }
    }

    /// <summary>The declarations of antiquary.h that the loader needs.</summary>
    static class Native
    {
        // libantiquary.so, libantiquary.dylib or antiquary.dll: in Unity, below Assets/Plugins.
        const string Library = "antiquary";

        public const uint TopologyTriangles = 0;

        [StructLayout(LayoutKind.Sequential)]
        public struct Handle
        {
            public ulong Id;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct ErrorInfo
        {
            public int Status;
            public IntPtr Code, Text, Message, Path, File;
            public ulong Offset;
            public byte HasOffset;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct SceneInfo
        {
            public IntPtr Name;
            public UIntPtr MeshCount, MaterialCount, TextureCount, ImageCount, LightCount, NodeCount, SkinCount;
            public UIntPtr AnimationCount;
            public IntPtr Roots;
            public UIntPtr RootCount;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct Mesh
        {
            public IntPtr Name;
            public UIntPtr PrimitiveCount;
            public IntPtr TargetWeights;
            public UIntPtr TargetWeightCount;
            public IntPtr Extras;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct Primitive
        {
            public UIntPtr VertexCount;
            public IntPtr Positions, Normals, Tangents, Uvs0, Uvs1, Uvs2, Uvs3;
            public UIntPtr UvSetCount;
            public IntPtr Colors, Joints, Weights, Indices;
            public UIntPtr IndexCount;
            public uint Topology, Material;
            public UIntPtr TargetCount;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_open(byte[] path, IntPtr[] options, out Handle file, out Handle error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_file_scene(Handle file, out Handle scene, out Handle error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_file_free(Handle file);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_scene_get(Handle scene, out SceneInfo info, out Handle error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_scene_mesh(Handle scene, UIntPtr mesh, out Mesh result, out Handle error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_scene_primitive(
            Handle scene, UIntPtr mesh, UIntPtr primitive, out Primitive result, out Handle error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_scene_free(Handle scene);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_error_get(Handle error, out ErrorInfo info);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int antiquary_error_free(Handle error);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr antiquary_handle_count();

        /// <summary>Throws the error of a failed call, and frees it.</summary>
        public static void Check(int status, Handle error)
        {
            if (status == 0)
            {
                return;
            }
            ErrorInfo info;
            if (antiquary_error_get(error, out info) != 0)
            {
                throw new InvalidOperationException("antiquary: status " + status);
            }
            var exception = new AntiquaryException(info);
            antiquary_error_free(error);
            throw exception;
        }

        public static byte[] Utf8(string text)
        {
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        public static string Text(IntPtr text)
        {
            if (text == IntPtr.Zero)
            {
                return null;
            }
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0)
            {
                length++;
            }
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        public static float[] Floats(IntPtr numbers, int count)
        {
            if (numbers == IntPtr.Zero)
            {
                return null;
            }
            var copy = new float[count];
            Marshal.Copy(numbers, copy, 0, count);
            return copy;
        }

        /// <summary>A list of strings that ends with a null pointer.</summary>
        public sealed class Strings : IDisposable
        {
            public readonly IntPtr[] Pointers;

            public Strings(string[] texts)
            {
                Pointers = new IntPtr[texts.Length + 1];
                for (int index = 0; index < texts.Length; index++)
                {
                    byte[] bytes = Utf8(texts[index]);
                    Pointers[index] = Marshal.AllocHGlobal(bytes.Length);
                    Marshal.Copy(bytes, 0, Pointers[index], bytes.Length);
                }
            }

            public void Dispose()
            {
                foreach (IntPtr pointer in Pointers)
                {
                    Marshal.FreeHGlobal(pointer);
                }
            }
        }
    }
}
