// A component of Unity that shows the meshes of a game file.

using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;

namespace Antiquary
{
    public sealed class LoadScene : MonoBehaviour
    {
        [SerializeField] string path = "GFX/map/room2_opt.rmesh";
        [SerializeField] Material material;

        void Start()
        {
            try
            {
                foreach (MeshPart part in SceneLoader.LoadMeshes(path))
                {
                    Show(part);
                }
            }
            catch (AntiquaryException error)
            {
                Debug.LogError($"{error.Code}: {error.Message}", this);
            }
        }

        void Show(MeshPart part)
        {
            // Large meshes need 32-bit indices, which must be set first.
            var mesh = new Mesh { name = part.Name, indexFormat = IndexFormat.UInt32 };
            mesh.SetVertices(Vectors3(part.Positions));
            if (part.Normals != null)
            {
                mesh.SetNormals(Vectors3(part.Normals));
            }
            if (part.Uvs != null)
            {
                mesh.SetUVs(0, Vectors2(part.Uvs));
            }
            mesh.SetTriangles(part.Indices, 0);
            if (part.Normals == null)
            {
                mesh.RecalculateNormals();
            }
            var shown = new GameObject(part.Name, typeof(MeshFilter), typeof(MeshRenderer));
            shown.transform.SetParent(transform, false);
            shown.GetComponent<MeshFilter>().sharedMesh = mesh;
            shown.GetComponent<MeshRenderer>().sharedMaterial = material;
        }

        static List<Vector3> Vectors3(float[] numbers)
        {
            var vectors = new List<Vector3>(numbers.Length / 3);
            for (int at = 0; at + 2 < numbers.Length; at += 3)
            {
                vectors.Add(new Vector3(numbers[at], numbers[at + 1], numbers[at + 2]));
            }
            return vectors;
        }

        static List<Vector2> Vectors2(float[] numbers)
        {
            var vectors = new List<Vector2>(numbers.Length / 2);
            for (int at = 0; at + 1 < numbers.Length; at += 2)
            {
                vectors.Add(new Vector2(numbers[at], numbers[at + 1]));
            }
            return vectors;
        }
    }
}
